import type { ElectronicInvoice, PostalAddress } from '../model'
import type { Report, Rule } from './rule'

const COUNTRY_HINT = 'is required. Send a code of ISO 3166-1, such as DE.'

/** Rules that require a term of the whole invoice (EN 16931-1, 6.4.1). */
export const PRESENCE_RULES: readonly Rule[] = [
  required('BR-01', 'eInvoice', ({ specification }) => specification),
  required('BR-02', 'invoiceNumber', ({ invoiceNumber }) => invoiceNumber),
  required('BR-03', 'issueDate', ({ issueDate }) => issueDate),
  required('BR-04', 'typeCode', ({ typeCode }) => typeCode),
  required('BR-05', 'currency', ({ currency }) => currency),
  required('BR-06', 'from.name', ({ from }) => from.name),
  required('BR-07', 'billTo.name', ({ billTo }) => billTo.name),
  required('BR-08', 'from.address', ({ from }) => from.address && 'sent', 'is required, with at least its country.'),
  country('BR-09', 'from'),
  required(
    'BR-10',
    'billTo.address',
    ({ billTo }) => billTo.address && 'sent',
    'is required, with at least its country.',
  ),
  country('BR-11', 'billTo'),
  required('BR-16', 'items', ({ items, lines }) => (items[0] ?? lines?.[0]) && 'sent', 'must have at least one item.'),
  {
    id: 'BR-17',
    check({ payee, from }, report) {
      if (!payee) return
      if (payee.name === undefined) report('payee.name', 'is required if payee is sent.')
      else if (payee.name === from.name) report('payee.name', 'must differ from the seller. Omit payee otherwise.')
    },
  },
  {
    id: 'BR-18',
    check({ taxRepresentative }, report) {
      if (taxRepresentative && !taxRepresentative.name) report('taxRepresentative.name', 'is required.')
    },
  },
  {
    id: 'BR-19',
    check({ taxRepresentative }, report) {
      if (taxRepresentative && !taxRepresentative.address) report('taxRepresentative.address', 'is required.')
    },
  },
  {
    id: 'BR-20',
    check({ taxRepresentative }, report) {
      checkCountry(taxRepresentative?.address, 'taxRepresentative.address', report)
    },
  },
  {
    id: 'BR-56',
    check({ taxRepresentative }, report) {
      if (taxRepresentative && !taxRepresentative.vatId) report('taxRepresentative.vatId', 'is required.')
    },
  },
  {
    id: 'BR-57',
    check({ shipTo }, report) {
      checkCountry(shipTo?.address, 'shipTo.address', report)
    },
  },
  {
    id: 'BR-52',
    check({ attachments }, report) {
      for (const [index, { id }] of attachments.entries()) if (!id) report(`attachments[${index}].id`, 'is required.')
    },
  },
  {
    id: 'BR-55',
    check({ precedingInvoices }, report) {
      for (const [index, { number }] of precedingInvoices.entries())
        if (!number) report(`precedingInvoice[${index}].number`, 'is required.')
    },
  },
  ...(['from', 'billTo'] as const).map((name, index): Rule => ({
    id: index === 0 ? 'BR-62' : 'BR-63',
    check(invoice, report) {
      const { electronicAddress } = invoice[name]
      if (electronicAddress && !electronicAddress.scheme)
        report(`${name}.electronicAddress.scheme`, 'is required. Send a code of EAS, such as 0088 for a GLN.')
    },
  })),
  {
    // BT-46 occurs once at most (EN 16931-1, 6.3). In CII, a second one is only worth a warning (CII-SR-450).
    id: 'UBL-SR-16',
    check({ billTo }, report, { syntax }) {
      if (syntax === 'ubl' && billTo.ids.length > 1)
        report('billTo.ids', `must have at most one entry. Got ${billTo.ids.length}.`)
    },
  },
  {
    id: 'BR-CO-03',
    check({ taxPointDate, taxPointCode }, report) {
      if (taxPointDate && taxPointCode) report('taxPointCode', 'must be omitted, because taxPointDate was sent too.')
    },
  },
  {
    id: 'BR-CO-26',
    check({ from }, report) {
      if (from.ids.length > 0 || from.legalId || from.vatId) return
      report('from', 'must have vatId, legalId or ids, so that the buyer can identify the seller.')
    },
  },
]

/** A rule that requires one value. */
function required(
  id: string,
  param: string,
  read: (invoice: ElectronicInvoice) => string | undefined,
  message = 'is required.',
): Rule {
  return {
    id,
    check(invoice, report) {
      if (!read(invoice)) report(param, message)
    },
  }
}

/** The rules for CII report the missing country of a missing address too. */
function country(id: string, name: 'from' | 'billTo'): Rule {
  return {
    id,
    check(invoice, report, { syntax }) {
      const { address } = invoice[name]
      if (address ? !address.country : syntax === 'cii') report(`${name}.address.country`, COUNTRY_HINT)
    },
  }
}

function checkCountry(address: PostalAddress | undefined, param: string, report: Report): void {
  if (address && !address.country) report(`${param}.country`, COUNTRY_HINT)
}
