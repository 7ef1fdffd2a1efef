/**
 * The semantic model of an electronic invoice (EN 16931-1, 6.3), without a syntax. Fields are named as in the request,
 * so that a path in this model is a parameter of the request too: `from.address.country`, `items[0].taxCategory`. The
 * comments give the business terms (BT) and groups (BG) of the standard.
 *
 * Numbers are decimal texts without exponent, such as `-12.5`. Computed amounts have the decimals of the currency.
 * Dates are `YYYY-MM-DD`. A missing term is undefined, never an empty text.
 */
export interface ElectronicInvoice {
  /** BT-24. */
  specification: string | undefined
  /** BT-23. */
  businessProcess: string | undefined
  /** BT-1. */
  invoiceNumber: string | undefined
  /** BT-2. */
  issueDate: string | undefined
  /** BT-3, a code of UNTDID 1001. */
  typeCode: string | undefined
  /** BT-5. */
  currency: string | undefined
  /** BT-6. */
  taxCurrency: string | undefined
  /** BT-7. */
  taxPointDate: string | undefined
  /** BT-8, a code of UNTDID 2005 (3, 35 or 432). */
  taxPointCode: string | undefined
  /** BT-9. */
  dueDate: string | undefined
  /** BT-10. */
  buyerReference: string | undefined
  /** BT-11. */
  projectReference: string | undefined
  /** BT-12. */
  contractReference: string | undefined
  /** BT-13. */
  purchaseOrder: string | undefined
  /** BT-14. */
  salesOrder: string | undefined
  /** BT-15. */
  receivingAdvice: string | undefined
  /** BT-16. */
  despatchAdvice: string | undefined
  /** BT-17. */
  tenderReference: string | undefined
  /** BT-18. */
  invoicedObject: Identifier | undefined
  /** BT-19. */
  accountingReference: string | undefined
  /** BT-20. */
  paymentTerms: string | undefined
  /** BG-1. */
  notes: Note[]
  /** BG-3. */
  precedingInvoices: PrecedingInvoice[]
  /** BG-4. */
  from: Party
  /** BG-7. */
  billTo: Party
  /** BG-10. */
  payee: { name: string | undefined; id: Identifier | undefined; legalId: Identifier | undefined } | undefined
  /** BG-11. */
  taxRepresentative:
    | { name: string | undefined; vatId: string | undefined; address: PostalAddress | undefined }
    | undefined
  /** BG-13 and BG-15: BT-70, BT-71 and the address. */
  shipTo: { name: string | undefined; id: Identifier | undefined; address: PostalAddress | undefined } | undefined
  /** BT-72. */
  deliveryDate: string | undefined
  /** BG-14. */
  period: Period | undefined
  /** BG-16. One entry for each means of payment. */
  payments: Payment[]
  /** BT-83 of an invoice that names no means of payment. */
  paymentReference: string | undefined
  /** BG-20. */
  allowances: DocumentAdjustment[]
  /** BG-21. */
  charges: DocumentAdjustment[]
  /** BG-22. */
  totals: DocumentTotals
  /** BG-23. */
  taxes: TaxBreakdown[]
  /** BG-24. */
  attachments: Attachment[]
  /** BG-25. */
  items: Item[]
  /** Taxes that aren't VAT. */
  otherTaxes?: OtherTax[] | undefined
  /** All lines of an invoice by Factur-X EXTENDED that has groups of lines. */
  lines?: InvoiceLine[] | undefined
  /** The sum that is collected for third parties, in EXTENDED. It is a part of the amount due. */
  collected?: string | undefined
}

/** A line of an invoice by Factur-X EXTENDED. Groups and lines for information aren't billed. */
export interface InvoiceLine {
  /** BT-126. */
  lineId: string | undefined
  /** BT-X-304: the line that this line belongs to. */
  parentLineId: string | undefined
  /** BT-X-8: `DETAIL`, `GROUP` or `INFORMATION`. A line without a type is billed too. */
  type: string | undefined
  /** The line itself. If it is billed, `items` has it too. */
  item: Item
  isBilled: boolean
}

/** An identifier and the code of its scheme. */
export interface Identifier {
  id: string | undefined
  scheme: string | undefined
}

export interface Note {
  text: string | undefined
  /** BT-21, a code of UNTDID 4451. */
  subjectCode: string | undefined
}

export interface PrecedingInvoice {
  /** BT-25. */
  number: string | undefined
  /** BT-26. */
  issueDate: string | undefined
}

export interface PostalAddress {
  /** BT-35. */
  street: string | undefined
  /** BT-36. */
  street2: string | undefined
  /** BT-162. */
  street3: string | undefined
  /** BT-38. */
  postCode: string | undefined
  /** BT-37. */
  city: string | undefined
  /** BT-39. */
  region: string | undefined
  /** BT-40, a code of ISO 3166-1. */
  country: string | undefined
}

export interface Party {
  /** BT-27, BT-44. */
  name: string | undefined
  /** BT-28, BT-45. */
  tradingName: string | undefined
  /** BT-29, BT-46. */
  ids: Identifier[]
  /** BT-30, BT-47. */
  legalId: Identifier | undefined
  /** BT-31, BT-48. */
  vatId: string | undefined
  /** BT-32. */
  taxNumber: string | undefined
  /** BT-33. */
  legalInfo: string | undefined
  /** BT-34, BT-49. */
  electronicAddress: Identifier | undefined
  /** BG-5, BG-8. Undefined if the invoice has no address at all. */
  address: PostalAddress | undefined
  /** BG-6, BG-9. */
  contact: { name: string | undefined; phone: string | undefined; email: string | undefined } | undefined
}

export interface Period {
  start: string | undefined
  end: string | undefined
}

export interface Payment {
  /** BT-81, a code of UNTDID 4461. */
  meansCode: string | undefined
  /** BT-82. */
  meansText: string | undefined
  /** BT-83. */
  reference: string | undefined
  /** BG-17. */
  accounts: Account[]
  /** BG-18: BT-87 and BT-88. */
  card: { lastDigits: string | undefined; holder: string | undefined } | undefined
  /** BG-19: BT-89, BT-90 and BT-91. */
  directDebit:
    | { mandate: string | undefined; creditorId: string | undefined; debitedIban: string | undefined }
    | undefined
}

export interface Account {
  /** BT-84, an IBAN or another account number. */
  id: string | undefined
  /** Whether `id` is an IBAN. */
  isIban: boolean
  /** BT-85. */
  name: string | undefined
  /** BT-86. */
  bic: string | undefined
}

/** BG-27 or BG-28. */
export interface Adjustment {
  /** BT-136, BT-141. */
  amount: string | undefined
  /** BT-137, BT-142. */
  base: string | undefined
  /** BT-138, BT-143, in percent. */
  percent: string | undefined
  /** BT-139, BT-144. */
  reason: string | undefined
  /** BT-140, a code of UNTDID 5189. BT-145, a code of UNTDID 7161. */
  reasonCode: string | undefined
  /** Path of the request parameter that the adjustment comes from, such as `discount` or `allowances[0]`. */
  param: string
}

/** BG-20 or BG-21. */
export interface DocumentAdjustment extends Adjustment {
  /** BT-95, BT-102, a code of UNTDID 5305. */
  taxCategory: string | undefined
  /** BT-96, BT-103, in percent. */
  taxPercent: string | undefined
}

export interface DocumentTotals {
  /** BT-106. */
  lines: string | undefined
  /** BT-107. */
  allowances: string | undefined
  /** BT-108. */
  charges: string | undefined
  /** BT-109. */
  withoutTax: string | undefined
  /** BT-110. */
  tax: string | undefined
  /** BT-111. */
  taxInTaxCurrency: string | undefined
  /** BT-112. */
  withTax: string | undefined
  /** BT-113. */
  paid: string | undefined
  /** BT-114. */
  rounding: string | undefined
  /** BT-115. */
  due: string | undefined
}

export interface TaxBreakdown {
  /** BT-116. */
  base: string | undefined
  /** BT-117. */
  tax: string | undefined
  /** BT-118, a code of UNTDID 5305. */
  category: string | undefined
  /** BT-119, in percent. Undefined for category O. */
  percent: string | undefined
  /** BT-120. */
  exemptionReason: string | undefined
  /** BT-121, a code of the VATEX list. */
  exemptionCode: string | undefined
}

/** A tax that isn't VAT. */
export interface OtherTax extends Pick<TaxBreakdown, 'base' | 'tax' | 'category' | 'percent'> {
  /** A code of UNTDID 5153, such as `AAD` for a tobacco tax. In UBL, the ID of the tax scheme. */
  type: string
}

export interface Attachment {
  /** BT-122. */
  id: string | undefined
  /** BT-123. */
  description: string | undefined
  /** BT-124. */
  url: string | undefined
  /** BT-125. */
  file: { name: string | undefined; mimeType: string | undefined; dataBase64: string } | undefined
}

export interface Item {
  /** BT-126. */
  lineId: string | undefined
  /** BT-127. */
  note: string | undefined
  /** BT-128. */
  invoicedObject: Identifier | undefined
  /** BT-129. */
  quantity: string | undefined
  /** BT-130, a code of UN/ECE Recommendation 20 or 21. */
  unitCode: string | undefined
  /** BT-131. */
  amount: string | undefined
  /** BT-132. */
  orderLine: string | undefined
  /** BT-133. */
  accountingReference: string | undefined
  /** BG-26. */
  period: Period | undefined
  /** BG-27. */
  allowances: Adjustment[]
  /** BG-28. */
  charges: Adjustment[]
  /** BT-146. */
  rate: string | undefined
  /** BT-148. */
  grossPrice: string | undefined
  /** BT-147. Undefined: the difference between `grossPrice` and `rate`. */
  priceReduction: string | undefined
  /** BT-149. */
  priceBase: string | undefined
  /** BT-150. Undefined: the same as `unitCode`. */
  priceBaseUnitCode: string | undefined
  /** BT-151, a code of UNTDID 5305. */
  taxCategory: string | undefined
  /** BT-152, in percent. Undefined for category O. */
  taxPercent: string | undefined
  /** BT-153. */
  description: string | undefined
  /** BT-154. */
  details: string | undefined
  /** BT-155. */
  sku: string | undefined
  /** BT-156. */
  buyerItemId: string | undefined
  /** BT-157. */
  standardItemId: Identifier | undefined
  /** BT-158. */
  classifications: { id: string | undefined; scheme: string | undefined; version: string | undefined }[]
  /** BT-159, a code of ISO 3166-1. */
  originCountry: string | undefined
  /** BG-32. */
  attributes: { name: string | undefined; value: string | undefined }[]
}
