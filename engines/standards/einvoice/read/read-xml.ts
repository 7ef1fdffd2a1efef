import { EngineError } from '../../../errors'
import type { ElectronicInvoice } from '../model'
import { decodeXml } from './decode-xml'
import { readCii } from './read-cii'
import { readUbl } from './read-ubl'
import { parseTree } from './xml-tree'
import type { Vocabulary, XmlNode } from './xml-tree'

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
