import type { Adjustment, ElectronicInvoice, Item, Party, Payment } from '../model'

/**
 * Returns an invoice without the terms that the profile BASIC of Factur-X doesn't have: contacts, further references,
 * attachments, the trading name of the buyer, details of items and of accounts. The page shows them. The amounts are
 * complete.
 */
export function reduceToBasic(invoice: ElectronicInvoice): ElectronicInvoice {
  return {
    ...invoice,
    salesOrder: undefined,
    projectReference: undefined,
    tenderReference: undefined,
    receivingAdvice: undefined,
    invoicedObject: undefined,
    taxPointDate: undefined,
    attachments: [],
    from: reduceParty(invoice.from),
    billTo: { ...reduceParty(invoice.billTo), tradingName: undefined },
    payments: invoice.payments.map(reducePayment),
    totals: { ...invoice.totals, rounding: undefined },
    items: invoice.items.map(reduceItem),
  }
}

function reduceParty(party: Party): Party {
  return { ...party, contact: undefined, legalInfo: undefined }
}

function reducePayment(payment: Payment): Payment {
  return {
    ...payment,
    meansText: undefined,
    card: undefined,
    accounts: payment.accounts.map(({ id, isIban }) => ({ id, isIban, name: undefined, bic: undefined })),
  }
}

function reduceItem(item: Item): Item {
  return {
    ...item,
    details: undefined,
    sku: undefined,
    buyerItemId: undefined,
    attributes: [],
    classifications: [],
    originCountry: undefined,
    orderLine: undefined,
    invoicedObject: undefined,
    accountingReference: undefined,
    allowances: item.allowances.map(reduceAdjustment),
    charges: item.charges.map(reduceAdjustment),
  }
}

function reduceAdjustment(adjustment: Adjustment): Adjustment {
  return { ...adjustment, base: undefined, percent: undefined }
}
