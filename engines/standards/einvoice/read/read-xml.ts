import { EngineError } from '../../../errors'
import type { ElectronicInvoice } from '../model'
import { readCii } from './read-cii'
import { readUbl } from './read-ubl'
import { parseTree } from './xml-tree'
import type { Vocabulary, XmlNode } from './xml-tree'
import { decodeText, detectUnicode, readDeclaredEncoding } from '../../../decode-text'

/** An invoice in XML. */
export interface XmlInvoice {
  invoice: ElectronicInvoice
  syntax: 'cii' | 'ubl' | 'zugferd-1'
  /** Paths of elements and attributes with a text that the model has no place for. */
  unknown: string[]
  /** Paths of elements without text and children. */
  empty: string[]
}

const UNECE = 'urn:un:unece:uncefact:data:standard'
const CII = `${UNECE}:CrossIndustryInvoice:100`
const ZUGFERD_1 = 'urn:ferd:CrossIndustryDocument:invoice:1p0'
const UBL = 'urn:oasis:names:specification:ubl:schema:xsd'

const MAX_LISTED = 100

/** Names of elements of ZUGFeRD 1, with their names in the Cross Industry Invoice. */
const RENAMED: Readonly<Record<string, string>> = {
  SpecifiedExchangedDocumentContext: 'ExchangedDocumentContext',
  HeaderExchangedDocument: 'ExchangedDocument',
  SpecifiedSupplyChainTradeTransaction: 'SupplyChainTradeTransaction',
  ApplicableSupplyChainTradeAgreement: 'ApplicableHeaderTradeAgreement',
  ApplicableSupplyChainTradeDelivery: 'ApplicableHeaderTradeDelivery',
  ApplicableSupplyChainTradeSettlement: 'ApplicableHeaderTradeSettlement',
  SpecifiedSupplyChainTradeAgreement: 'SpecifiedLineTradeAgreement',
  SpecifiedSupplyChainTradeDelivery: 'SpecifiedLineTradeDelivery',
  SpecifiedSupplyChainTradeSettlement: 'SpecifiedLineTradeSettlement',
  ApplicablePercent: 'RateApplicablePercent',
}

/** In ZUGFeRD 1, the sums of an invoice and of an item have the same name. */
const SUMMATION = 'SpecifiedTradeSettlementMonetarySummation'

const VOCABULARIES: Readonly<Record<XmlInvoice['syntax'], Vocabulary>> = {
  cii: {
    namespaces: new Set([
      CII,
      `${UNECE}:ReusableAggregateBusinessInformationEntity:100`,
      `${UNECE}:UnqualifiedDataType:100`,
      `${UNECE}:QualifiedDataType:100`,
    ]),
  },
  'zugferd-1': {
    namespaces: new Set([
      ZUGFERD_1,
      `${UNECE}:ReusableAggregateBusinessInformationEntity:12`,
      `${UNECE}:UnqualifiedDataType:15`,
    ]),
    renamed: RENAMED,
  },
  ubl: {
    namespaces: new Set([
      `${UBL}:Invoice-2`,
      `${UBL}:CreditNote-2`,
      `${UBL}:CommonAggregateComponents-2`,
      `${UBL}:CommonBasicComponents-2`,
    ]),
  },
}

/** Attributes that name a code list or its publisher. The standard fixes them. */
const LIST_ATTRIBUTE = /^(?:list|language|unitCodeList|scheme(?:Agency|Name|Version|URI|DataURI))/

/** Reads an invoice. Throws EngineError `damaged` if the file isn't one. */
export function readXml(bytes: Uint8Array): XmlInvoice {
  const root = parseTree(decodeXml(bytes), element => {
    const syntax = syntaxOf(element)
    return syntax && VOCABULARIES[syntax]
  })
  const syntax = syntaxOf(root)
  if (!syntax)
    throw new EngineError(
      'not_an_invoice',
      'The XML is not an invoice in a known format. Send a Cross Industry Invoice (CII), or a UBL Invoice or CreditNote.',
    )
  if (syntax === 'zugferd-1') renameSummations(root)
  const invoice = syntax === 'ubl' ? readUbl(root) : readCii(root)
  return { invoice, syntax, unknown: listUnknown(root, invoice), empty: root.listEmpty(MAX_LISTED) }
}

function syntaxOf({ name, namespace }: XmlNode): XmlInvoice['syntax'] | undefined {
  if (name === 'CrossIndustryInvoice' && namespace === CII) return 'cii'
  if (name === 'CrossIndustryDocument' && namespace === ZUGFERD_1) return 'zugferd-1'
  return (name === 'Invoice' || name === 'CreditNote') && namespace === `${UBL}:${name}-2` ? 'ubl' : undefined
}

/** Amounts may repeat the currency of the invoice. */
function listUnknown(root: XmlNode, { currency, taxCurrency }: ElectronicInvoice): string[] {
  return root.listUnread(MAX_LISTED, (name, value) =>
    name === 'currencyID' ? value === currency || value === taxCurrency : LIST_ATTRIBUTE.test(name),
  )
}

function renameSummations(root: XmlNode): void {
  const transaction = root.find('SupplyChainTradeTransaction')
  transaction
    ?.find('ApplicableHeaderTradeSettlement')
    ?.rename(SUMMATION, 'SpecifiedTradeSettlementHeaderMonetarySummation')
  for (const line of transaction?.all('IncludedSupplyChainTradeLineItem') ?? [])
    line.find('SpecifiedLineTradeSettlement')?.rename(SUMMATION, 'SpecifiedTradeSettlementLineMonetarySummation')
}

/** Encodings that XML invoices may declare besides UTF-8 and UTF-16. */
const ENCODINGS: ReadonlySet<string> = new Set([
  'utf-8',
  'utf8',
  'utf-16le',
  'utf-16be',
  'us-ascii',
  'iso-8859-1',
  'latin1',
  'iso-8859-15',
  'windows-1252',
  'cp1252',
])

/** Decodes an XML file by its byte order mark, its first bytes, or its declaration. Throws EngineError `unreadable`. */
function decodeXml(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes)
  if (!ENCODINGS.has(encoding))
    throw new EngineError('damaged', `The XML has the encoding ${encoding.slice(0, 40)}. Send it as UTF-8.`)
  try {
    return decodeText(bytes, encoding, { isFatal: encoding.startsWith('utf') })
  } catch {
    const name = encoding.slice(0, 'utf-16'.length).toUpperCase()
    throw new EngineError('damaged', `The XML is not valid ${name}. Declare its encoding, or send it as UTF-8.`)
  }
}

/**
 * The encoding in lowercase. Programs that declare UTF-16 in single bytes mean UTF-8. Nobody could read the declaration
 * otherwise.
 */
function encodingOf(bytes: Uint8Array): string {
  const shown = detectUnicode(bytes)
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const declared = hasMark ? undefined : readDeclaredEncoding(bytes)?.toLowerCase()
  return shown === 'utf-8' && declared !== undefined && !declared.startsWith('utf-16') ? declared : shown
}
