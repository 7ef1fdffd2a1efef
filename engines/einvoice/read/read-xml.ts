import { EngineError } from '../../errors'
import type { ElectronicInvoice } from '../model'
import { decodeXml } from './decode-xml'
import { readCii } from './read-cii'
import { readUbl } from './read-ubl'
import { parseTree } from './xml-tree'
import type { XmlNode } from './xml-tree'

/** An invoice in XML. */
export interface XmlInvoice {
  invoice: ElectronicInvoice
  syntax: 'cii' | 'ubl' | 'zugferd-1'
  /** Paths of elements with a text that the model has no place for. */
  unknown: string[]
}

const CII = 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100'
const ZUGFERD_1 = 'urn:ferd:CrossIndustryDocument:invoice:1p0'
const UBL = 'urn:oasis:names:specification:ubl:schema:xsd'

const MAX_UNKNOWN = 100

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

/** The sum of an invoice and that of an item have one name in ZUGFeRD 1. */
const SUMMATION = 'SpecifiedTradeSettlementMonetarySummation'

/** Reads an invoice. Throws EngineError `unreadable` if the file isn't one. */
export function readXml(bytes: Uint8Array): XmlInvoice {
  const text = decodeXml(bytes)
  const root = parseTree(text)
  const syntax = syntaxOf(root)
  if (syntax === 'ubl') return { invoice: readUbl(root), syntax, unknown: root.listUnread(MAX_UNKNOWN) }
  const tree = syntax === 'cii' ? root : parseTree(text, name => RENAMED[name] ?? name)
  if (syntax === 'zugferd-1') renameSummations(tree)
  return { invoice: readCii(tree), syntax, unknown: tree.listUnread(MAX_UNKNOWN) }
}

function syntaxOf({ name, namespace }: XmlNode): XmlInvoice['syntax'] {
  if (name === 'CrossIndustryInvoice' && namespace === CII) return 'cii'
  if (name === 'CrossIndustryDocument' && namespace === ZUGFERD_1) return 'zugferd-1'
  if ((name === 'Invoice' || name === 'CreditNote') && namespace === `${UBL}:${name}-2`) return 'ubl'
  throw new EngineError(
    'unreadable',
    'The XML is not an invoice in a known format. Send a Cross Industry Invoice (CII), or a UBL Invoice or CreditNote.',
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
