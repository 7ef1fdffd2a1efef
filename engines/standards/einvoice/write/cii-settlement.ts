import type { Account, ElectronicInvoice, Payment, TaxBreakdown } from '../model'
import { writePayee } from './cii-party'
import { writeAdjustment, writeDate, writePeriod, writeTax } from './cii-parts'
import { each, group, leaf } from './xml'
import type { Xml } from './xml'

/** EN 16931 uses codes of UNTDID 2005. CII uses UNTDID 2475. */
const TAX_POINT_CODES: Readonly<Record<string, string>> = { 3: '5', 35: '29', 432: '72' }

/** Writes how much is to be paid, and how. */
export function writeSettlement(invoice: ElectronicInvoice): Xml {
  const [payment] = invoice.payments
  const directDebit = invoice.payments.find(one => one.directDebit)?.directDebit
  return group(
    'ram:ApplicableHeaderTradeSettlement',
    leaf('ram:CreditorReferenceID', directDebit?.creditorId),
    leaf('ram:PaymentReference', payment?.reference),
    leaf('ram:TaxCurrencyCode', invoice.taxCurrency),
    leaf('ram:InvoiceCurrencyCode', invoice.currency),
    writePayee(invoice.payee),
    each(invoice.payments, writeMeans),
    each(invoice.taxes, (tax, index) =>
      writeBreakdown(tax, index === 0 ? invoice : { ...invoice, taxPointDate: undefined }),
    ),
    writePeriod(invoice.period),
    each(invoice.allowances, allowance =>
      writeAdjustment('allowance', allowance, writeTax('ram:CategoryTradeTax', allowance)),
    ),
    each(invoice.charges, charge => writeAdjustment('charge', charge, writeTax('ram:CategoryTradeTax', charge))),
    group(
      'ram:SpecifiedTradePaymentTerms',
      leaf('ram:Description', invoice.paymentTerms),
      writeDate('ram:DueDateDateTime', invoice.dueDate),
      leaf('ram:DirectDebitMandateID', directDebit?.mandate),
    ),
    writeTotals(invoice),
    each(invoice.precedingInvoices, ({ number, issueDate }) =>
      group(
        'ram:InvoiceReferencedDocument',
        leaf('ram:IssuerAssignedID', number),
        writeDate('ram:FormattedIssueDateTime', issueDate, 'qdt'),
      ),
    ),
    group('ram:ReceivableSpecifiedTradeAccountingAccount', leaf('ram:ID', invoice.accountingReference)),
  )
}

/** Each account needs an element of its own. The first one has the card and the debited account. */
function writeMeans({ accounts, ...payment }: Payment): Xml {
  const [first, ...others] = accounts
  return (
    writeOneMeans(payment, first) +
    each(others, account => writeOneMeans({ ...payment, card: undefined, directDebit: undefined }, account))
  )
}

function writeOneMeans(payment: Omit<Payment, 'accounts'>, account: Account | undefined): Xml {
  return group(
    'ram:SpecifiedTradeSettlementPaymentMeans',
    leaf('ram:TypeCode', payment.meansCode),
    leaf('ram:Information', payment.meansText),
    group(
      'ram:ApplicableTradeSettlementFinancialCard',
      leaf('ram:ID', payment.card?.lastDigits),
      leaf('ram:CardholderName', payment.card?.holder),
    ),
    group('ram:PayerPartyDebtorFinancialAccount', leaf('ram:IBANID', payment.directDebit?.debitedIban)),
    group(
      'ram:PayeePartyCreditorFinancialAccount',
      leaf('ram:IBANID', account?.isIban ? account.id : undefined),
      leaf('ram:AccountName', account?.name),
      leaf('ram:ProprietaryID', account?.isIban ? undefined : account?.id),
    ),
    group('ram:PayeeSpecifiedCreditorFinancialInstitution', leaf('ram:BICID', account?.bic)),
  )
}

/** The date of the tax point may occur once (CII-SR-461), and its code in each group (CII-SR-462). */
function writeBreakdown(tax: TaxBreakdown, { taxPointDate, taxPointCode }: ElectronicInvoice): Xml {
  return group(
    'ram:ApplicableTradeTax',
    leaf('ram:CalculatedAmount', tax.tax),
    leaf('ram:TypeCode', 'VAT'),
    leaf('ram:ExemptionReason', tax.exemptionReason),
    leaf('ram:BasisAmount', tax.base),
    leaf('ram:CategoryCode', tax.category),
    leaf('ram:ExemptionReasonCode', tax.exemptionCode),
    group('ram:TaxPointDate', leaf('udt:DateString', taxPointDate?.replaceAll('-', ''), { format: '102' })),
    leaf('ram:DueDateTypeCode', taxPointCode && (TAX_POINT_CODES[taxPointCode] ?? taxPointCode)),
    leaf('ram:RateApplicablePercent', tax.percent),
  )
}

function writeTotals({ totals, currency, taxCurrency }: ElectronicInvoice): Xml {
  return group(
    'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
    leaf('ram:LineTotalAmount', totals.lines),
    leaf('ram:ChargeTotalAmount', totals.charges),
    leaf('ram:AllowanceTotalAmount', totals.allowances),
    leaf('ram:TaxBasisTotalAmount', totals.withoutTax),
    leaf('ram:TaxTotalAmount', totals.tax, { currencyID: currency }),
    leaf('ram:TaxTotalAmount', totals.taxInTaxCurrency, { currencyID: taxCurrency }),
    leaf('ram:RoundingAmount', totals.rounding),
    leaf('ram:GrandTotalAmount', totals.withTax),
    leaf('ram:TotalPrepaidAmount', totals.paid),
    leaf('ram:DuePayableAmount', totals.due),
  )
}
