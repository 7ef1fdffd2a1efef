/** The sets of rules that an electronic invoice can follow. */
export type RuleSet = 'en16931' | 'xrechnung' | 'peppol' | 'facturx-basic' | 'facturx-en16931' | 'facturx-extended'

/** The XML syntaxes of EN 16931: UN/CEFACT Cross Industry Invoice D16B, and OASIS UBL 2.1. */
export type Syntax = 'cii' | 'ubl'

/** BT-24 of each rule set. */
export const SPECIFICATIONS: Readonly<Record<RuleSet, string>> = {
  en16931: 'urn:cen.eu:en16931:2017',
  xrechnung: 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
  peppol: 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0',
  'facturx-basic': 'urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic',
  'facturx-en16931': 'urn:cen.eu:en16931:2017',
  'facturx-extended': 'urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended',
}

/** BT-23 of Peppol invoices. XRechnung requires a value too, and recommends this one. */
export const PEPPOL_PROCESS = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'
