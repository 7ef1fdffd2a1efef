import type { Family } from '../examination/profiles'
import type { Finding, Rule, RuleId } from '../examination/rules'
import { inAllParts, inParts23 } from '../examination/rules'
import { NAMESPACES } from './namespaces'
import { propertyOf, textOf } from './xmp-package'
import type { XmpPackage } from './xmp-package'

const { dc, pdfaid, pdfuaid } = NAMESPACES

/** The conformance levels that include level B of each part, as `pdfaid:conformance` names them. */
const LEVELS: Partial<Record<Family, readonly string[]>> = {
  'pdfa-1': ['B', 'A'],
  'pdfa-2': ['B', 'U', 'A'],
  'pdfa-3': ['B', 'U', 'A'],
}

/** Those that include level U. */
const UNICODE_LEVELS = ['U', 'A']

/** Whether the package has any property of a namespace. */
export function hasPropertyOf({ properties }: XmpPackage, namespace: string): boolean {
  return properties.some(property => property.namespace === namespace)
}

/** Rules for the document's metadata. */
export const MAIN_PACKAGE_RULES: Rule<XmpPackage>[] = [
  {
    in: inAllParts('6.7.11-1', '6.6.4-1'),
    message: 'Document metadata must identify the file as PDF/A.',
    check: main => (hasPropertyOf(main, pdfaid) ? undefined : 'no PDF/A identification'),
  },
  {
    in: { 'pdfua-1': '5-1' },
    message: 'Document metadata must identify the file as PDF/UA.',
    check: main => (hasPropertyOf(main, pdfuaid) ? undefined : 'no PDF/UA identification'),
  },
  {
    in: { 'pdfua-1': '7.1-9' },
    message: 'Document metadata must have a title in dc:title.',
    check: ({ properties }) => {
      const title = properties.find(
        ({ namespace, name, prefix }) => namespace === dc && name === 'title' && prefix === 'dc',
      )
      return title?.children.some(({ language }) => language !== undefined) ? undefined : 'no dc:title'
    },
  },
]

/** Rules for metadata that identifies a part of PDF/A. */
export const PDFA_RULES: Rule<XmpPackage>[] = [
  {
    in: inAllParts('6.7.11-2', '6.6.4-2'),
    message: 'pdfaid:part must be the part of PDF/A that the file is checked against.',
    check(main, { profile }) {
      const part = Number(profile.family.slice('pdfa-'.length))
      return partFinding(main, pdfaid, part)
    },
  },
  {
    in: inAllParts('6.7.11-3', '6.6.4-3'),
    message: 'pdfaid:conformance must be a level that includes the one that the file is checked against.',
    check(main, { profile }) {
      const level = textOf(main, pdfaid, 'conformance')
      const levels = profile.level === 'u' ? UNICODE_LEVELS : LEVELS[profile.family]
      if (levels?.includes(level ?? '')) return undefined
      return level === undefined ? 'no pdfaid:conformance' : `pdfaid:conformance "${level.slice(0, 60)}"`
    },
  },
  ...prefixRules(pdfaid, 'pdfaid', [
    ['part', inAllParts('6.7.11-4', '6.6.4-4')],
    ['conformance', inAllParts('6.7.11-5', '6.6.4-5')],
    ['amd', inAllParts('6.7.11-6', '6.6.4-6')],
    ['corr', inParts23('6.6.4-7')],
  ]),
]

/** Rules for metadata that identifies a part of PDF/UA. */
export const PDFUA_RULES: Rule<XmpPackage>[] = [
  {
    in: { 'pdfua-1': '5-2' },
    message: 'pdfuaid:part must be 1.',
    check: main => partFinding(main, pdfuaid, 1),
  },
  ...prefixRules(pdfuaid, 'pdfuaid', [
    ['part', { 'pdfua-1': '5-3' }],
    ['amd', { 'pdfua-1': '5-4' }],
    ['corr', { 'pdfua-1': '5-5' }],
  ]),
]

function prefixRules(
  namespace: string,
  prefix: string,
  properties: [name: string, ids: Partial<Record<Family, RuleId>>][],
): Rule<XmpPackage>[] {
  return properties.map(([name, ids]) => ({
    in: ids,
    message: `The property ${name} must have the prefix ${prefix}.`,
    check(main) {
      const property = propertyOf(main, namespace, name)
      return property?.prefix === undefined || property.prefix === prefix ? undefined : property.label
    },
  }))
}

function partFinding(main: XmpPackage, namespace: string, part: number): Finding {
  const text = textOf(main, namespace, 'part')
  if (text === undefined) return 'no part'
  return /^[+-]?\d+$/.test(text) && Number(text) === part ? undefined : `part "${text.slice(0, 60)}"`
}
