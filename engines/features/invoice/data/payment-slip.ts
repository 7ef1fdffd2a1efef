import type { Invoice } from './invoice'
import { groupIban } from './payment-codes'
import { writeQrPayload } from './qr-payload'
import type { Exact } from './totals'

/** What the payment slip of a Swiss QR-bill says. Its code says the same. */
export interface PaymentSlip {
  /** The account number, and name and address of the creditor. */
  creditor: string[]
  /** Undefined without a reference. */
  reference: string | undefined
  message: string
  /** Name and address of the debtor. Empty if the debtor fills them in. */
  debtor: string[]
  currency: string
  /** With blanks between groups of three digits. */
  amount: string
}

/** Reads the slip from the content of the code (Swiss Implementation Guidelines QR-bill, 4.2). */
export function readPaymentSlip(invoice: Invoice, due: Exact): PaymentSlip {
  const lines = writeQrPayload(invoice, due).split('\n')
  const at = (index: number): string => lines[index] ?? ''
  const addressAt = (index: number): string[] =>
    [at(index), at(index + 1), `${at(index + 3)} ${at(index + 4)}`].filter(line => line.trim() !== '')
  const reference = at(28)
  return {
    creditor: [groupIban(at(3)), ...addressAt(5)],
    reference: at(27) === 'NON' ? undefined : at(27) === 'QRR' ? groupQrReference(reference) : groupIban(reference),
    message: at(29),
    debtor: addressAt(21),
    currency: at(19),
    amount: at(18).replace(/\B(?=(?:\d{3})+\.)/g, ' '),
  }
}

/** Formats a QR reference in groups of five from its end. */
function groupQrReference(reference: string): string {
  return reference.replace(/(?=(?:\d{5})+$)/g, ' ').trim()
}

interface SlipTexts {
  paymentPart: string
  receipt: string
  account: string
  reference: string
  message: string
  currency: string
  amount: string
  acceptancePoint: string
  separate: string
  debtor: string
  emptyDebtor: string
}

/** The official words (Swiss Implementation Guidelines QR-bill, appendix D). */
const TEXTS: Readonly<Record<'de' | 'fr' | 'it' | 'en', SlipTexts>> = {
  de: {
    paymentPart: 'Zahlteil',
    receipt: 'Empfangsschein',
    account: 'Konto / Zahlbar an',
    reference: 'Referenz',
    message: 'Zusätzliche Informationen',
    currency: 'Währung',
    amount: 'Betrag',
    acceptancePoint: 'Annahmestelle',
    separate: 'Vor der Einzahlung abzutrennen',
    debtor: 'Zahlbar durch',
    emptyDebtor: 'Zahlbar durch (Name/Adresse)',
  },
  fr: {
    paymentPart: 'Section paiement',
    receipt: 'Récépissé',
    account: 'Compte / Payable à',
    reference: 'Référence',
    message: 'Informations supplémentaires',
    currency: 'Monnaie',
    amount: 'Montant',
    acceptancePoint: 'Point de dépôt',
    separate: 'A détacher avant le versement',
    debtor: 'Payable par',
    emptyDebtor: 'Payable par (nom/adresse)',
  },
  it: {
    paymentPart: 'Sezione pagamento',
    receipt: 'Ricevuta',
    account: 'Conto / Pagabile a',
    reference: 'Riferimento',
    message: 'Informazioni supplementari',
    currency: 'Valuta',
    amount: 'Importo',
    acceptancePoint: 'Punto di accettazione',
    separate: 'Da staccare prima del versamento',
    debtor: 'Pagabile da',
    emptyDebtor: 'Pagabile da (nome/indirizzo)',
  },
  en: {
    paymentPart: 'Payment part',
    receipt: 'Receipt',
    account: 'Account / Payable to',
    reference: 'Reference',
    message: 'Additional information',
    currency: 'Currency',
    amount: 'Amount',
    acceptancePoint: 'Acceptance point',
    separate: 'Separate before paying in',
    debtor: 'Payable by',
    emptyDebtor: 'Payable by (name/address)',
  },
}

/** Returns the words of the slip in the language of the invoice if the slip has it, otherwise in English. */
export function slipTextsOf(locale: string): SlipTexts {
  const { language } = new Intl.Locale(locale)
  return Object.hasOwn(TEXTS, language) ? TEXTS[language as keyof typeof TEXTS] : TEXTS.en // `hasOwn` checked the key.
}
