import type { RuleSet } from '../formats'
import type { ElectronicInvoice } from '../model'

/** Profiles of Factur-X with fewer fields than EN 16931. Sheaf has no rules for them. */
type SmallProfile = 'minimum' | 'basic-wl'

/** Older versions of Factur-X and ZUGFeRD wrote some with other separators and owners. */
const PATTERNS: readonly (readonly [RegExp, RuleSet | SmallProfile])[] = [
  [/^urn:cen\.eu:en16931:2017#compliant#urn:(?:xeinkauf\.de:kosit|xoev-de:kosit:standard):xrechnung_\d/, 'xrechnung'],
  [/^urn:cen\.eu:en16931:2017#(?:compliant|conformant)#urn:fdc:peppol\.eu:2017:poacc:billing:3\.0/, 'peppol'],
  [/^urn:cen\.eu:en16931:2017[#:]\w+[#:](?:urn:)?(?:factur-x\.eu|zugferd\.de):\w+:basic$/, 'facturx-basic'],
  [/^urn:cen\.eu:en16931:2017[#:]\w+[#:](?:urn:)?(?:factur-x\.eu|zugferd\.de):\w+:extended$/, 'facturx-extended'],
  [/^urn:(?:factur-x\.eu|zugferd\.de):\w+:minimum$/, 'minimum'],
  [/^urn:(?:factur-x\.eu|zugferd\.de):\w+:basicwl$/, 'basic-wl'],
  [/^urn:cen\.eu:en16931:2017(?:$|#|:compliant:)/, 'en16931'],
]

/** The rules that an invoice names. Undefined if it names none that Sheaf knows. */
export function ruleSetOf({
  specification,
}: Pick<ElectronicInvoice, 'specification'>): RuleSet | SmallProfile | undefined {
  return PATTERNS.find(([pattern]) => pattern.test(specification ?? ''))?.[1]
}
