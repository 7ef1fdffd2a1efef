import type { Account, ElectronicInvoice, Payment } from '../model'
import { writeAdjustment, writeAmount, writeTax } from './ubl-parts'
import { each, group, leaf } from './xml'
import type { Xml } from './xml'

/** "Instrument not defined" (UNTDID 4461), for a due date without any means of payment. */
const UNDEFINED_MEANS = '1'
/** The schema requires the network of a card, and the standard doesn't have it. */
const UNKNOWN_NETWORK = 'NA'

/**
 * Writes how to pay, with an element for each account. A credit note has its due date here. These may occur once: the
 * due date (UBL-SR-45), the text (UBL-SR-46), the card (UBL-SR-54) and the mandate (UBL-SR-55).
 */
export function writeMeans({ payments, dueDate }: ElectronicInvoice, isCredit: boolean): Xml {
  const ownDueDate = isCredit ? dueDate : undefined
  if (payments.length === 0 && ownDueDate !== undefined)
    return group(
      'cac:PaymentMeans',
      leaf('cbc:PaymentMeansCode', UNDEFINED_MEANS),
      leaf('cbc:PaymentDueDate', ownDueDate),
    )
  return each(payments, ({ accounts, ...payment }, index) => {
    const [first, ...others] = accounts
    const { meansCode, reference } = payment
    return (
      writeOneMeans({ ...payment, account: first, dueDate: index === 0 ? ownDueDate : undefined }) +
      each(others, account => writeOneMeans({ meansCode, reference, account }))
    )
  })
}

interface OneMeans extends Partial<Omit<Payment, 'accounts'>> {
  account: Account | undefined
  dueDate?: string | undefined
}

function writeOneMeans({ card, directDebit, account, ...payment }: OneMeans): Xml {
  return group(
    'cac:PaymentMeans',
    leaf('cbc:PaymentMeansCode', payment.meansCode, { name: payment.meansText }),
    leaf('cbc:PaymentDueDate', payment.dueDate),
    leaf('cbc:PaymentID', payment.reference),
    card
      ? group(
          'cac:CardAccount',
          leaf('cbc:PrimaryAccountNumberID', card.lastDigits),
          leaf('cbc:NetworkID', UNKNOWN_NETWORK),
          leaf('cbc:HolderName', card.holder),
        )
      : '',
    group(
      'cac:PayeeFinancialAccount',
      leaf('cbc:ID', account?.id),
      leaf('cbc:Name', account?.name),
      group('cac:FinancialInstitutionBranch', leaf('cbc:ID', account?.bic)),
    ),
    group(
      'cac:PaymentMandate',
      leaf('cbc:ID', directDebit?.mandate),
      group('cac:PayerFinancialAccount', leaf('cbc:ID', directDebit?.debitedIban)),
    ),
  )
}

/** Writes allowances and charges of the whole invoice. */
export function writeAdjustments({ allowances, charges, currency }: ElectronicInvoice): Xml {
  return (
    each(allowances, allowance =>
      writeAdjustment(allowance, { isCharge: false, currency, tax: writeTax('cac:TaxCategory', allowance) }),
    ) +
    each(charges, charge =>
      writeAdjustment(charge, { isCharge: true, currency, tax: writeTax('cac:TaxCategory', charge) }),
    )
  )
}

/** Writes the taxes, and their sum in the tax currency. */
export function writeTaxes({ taxes, totals, currency, taxCurrency }: ElectronicInvoice): Xml {
  return (
    group(
      'cac:TaxTotal',
      writeAmount('cbc:TaxAmount', totals.tax, currency),
      each(taxes, ({ base, tax, category, percent, exemptionCode, exemptionReason }) =>
        group(
          'cac:TaxSubtotal',
          writeAmount('cbc:TaxableAmount', base, currency),
          writeAmount('cbc:TaxAmount', tax, currency),
          writeTax('cac:TaxCategory', { taxCategory: category, taxPercent: percent, exemptionCode, exemptionReason }),
        ),
      ),
    ) + group('cac:TaxTotal', writeAmount('cbc:TaxAmount', totals.taxInTaxCurrency, taxCurrency))
  )
}

/** Writes the totals. */
export function writeTotals({ totals, currency }: ElectronicInvoice): Xml {
  const amount = (name: string, value: string | undefined): Xml => writeAmount(name, value, currency)
  return group(
    'cac:LegalMonetaryTotal',
    amount('cbc:LineExtensionAmount', totals.lines),
    amount('cbc:TaxExclusiveAmount', totals.withoutTax),
    amount('cbc:TaxInclusiveAmount', totals.withTax),
    amount('cbc:AllowanceTotalAmount', totals.allowances),
    amount('cbc:ChargeTotalAmount', totals.charges),
    amount('cbc:PrepaidAmount', totals.paid),
    amount('cbc:PayableRoundingAmount', totals.rounding),
    amount('cbc:PayableAmount', totals.due),
  )
}
