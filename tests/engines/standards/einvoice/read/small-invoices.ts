const UNECE = 'urn:un:unece:uncefact:data:standard'
const UBL = 'urn:oasis:names:specification:ubl:schema:xsd'

/** Content of the groups of a Cross Industry Invoice, as XML. */
export interface CiiParts {
  head?: string
  context?: string
  document?: string
  lines?: string
  agreement?: string
  delivery?: string
  settlement?: string
}

/** A Cross Industry Invoice with the prefixes of the official samples. */
export function ciiWith({
  head = '',
  context = '',
  document = '',
  lines = '',
  agreement = '',
  delivery = '',
  settlement = '',
}: CiiParts): string {
  return (
    `${head}<rsm:CrossIndustryInvoice xmlns:rsm="${UNECE}:CrossIndustryInvoice:100" ` +
    `xmlns:ram="${UNECE}:ReusableAggregateBusinessInformationEntity:100" ` +
    `xmlns:udt="${UNECE}:UnqualifiedDataType:100" xmlns:qdt="${UNECE}:QualifiedDataType:100">` +
    `<rsm:ExchangedDocumentContext>${context}</rsm:ExchangedDocumentContext>` +
    `<rsm:ExchangedDocument>${document}</rsm:ExchangedDocument><rsm:SupplyChainTradeTransaction>${lines}` +
    `<ram:ApplicableHeaderTradeAgreement>${agreement}</ram:ApplicableHeaderTradeAgreement>` +
    `<ram:ApplicableHeaderTradeDelivery>${delivery}</ram:ApplicableHeaderTradeDelivery>` +
    `<ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>${settlement}` +
    '</ram:ApplicableHeaderTradeSettlement></rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>'
  )
}

/** A UBL document with the default namespace for its root. */
export function ublWith(content: string, root: 'Invoice' | 'CreditNote' = 'Invoice'): string {
  return (
    `<${root} xmlns="${UBL}:${root}-2" xmlns:cac="${UBL}:CommonAggregateComponents-2" ` +
    `xmlns:cbc="${UBL}:CommonBasicComponents-2"><cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>${content}` +
    `</${root}>`
  )
}

/** An element of the namespace `ram` with content. */
export function ram(name: string, ...content: string[]): string {
  return `<ram:${name}>${content.join('')}</ram:${name}>`
}

/** A date of CII. */
export function ramDate(name: string, digits: string, format = '102'): string {
  return ram(name, `<udt:DateTimeString format="${format}">${digits}</udt:DateTimeString>`)
}
