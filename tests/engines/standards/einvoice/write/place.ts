import { XmlDocument } from 'libxml2-wasm'

/** A business term, an XPath, and the texts that are there. */
export type Place = readonly [term: string, path: string, ...texts: string[]]

const SPACES = {
  rsm: 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  ram: 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  udt: 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
  qdt: 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
  in: 'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2',
  cn: 'urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2',
  cac: 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
  cbc: 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
}

/** Texts at an XPath, read by libxml2. */
export function textsAt(xml: string, path: string): string[] {
  const document = XmlDocument.fromString(xml)
  try {
    return document.find(path, SPACES).map(node => node.content)
  } finally {
    document.dispose()
  }
}
