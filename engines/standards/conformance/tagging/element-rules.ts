import type { Examination } from '../examination/examination'
import type { Finding, Rule } from '../examination/rules'
import type { StructureElement, StructureTree } from './structure-tree'
import { hasEntry, hasString, quote, textEntry } from './values'

/** A structure element with facts that depend on the tree. */
export interface ElementSubject {
  element: StructureElement
  tree: StructureTree
  /** How many kids are H, with kids of grouping elements. */
  headings: number
  /** The catalog has a language. */
  hasCatalogLanguage: boolean
}

/** Rules on every structure element (ISO 14289-1, 7.1, 7.2 and 7.4.4). */
export const ELEMENT_RULES: readonly Rule<ElementSubject>[] = [
  {
    in: { 'pdfua-1': '7.1-5' },
    message: 'The role map must map every structure type that isn’t standard to a standard structure type.',
    check({ element: { type, standardType }, tree }) {
      if (standardType !== undefined || (type !== undefined && tree.roles.isCircular(type))) return undefined
      if (type === undefined) return 'no /S'
      return tree.roles.remappedType(type) === undefined ? `/S /${type}` : undefined
    },
  },
  {
    in: { 'pdfua-1': '7.1-6' },
    message: 'The role map must not map a structure type to itself, directly or through other types.',
    check: ({ element: { type }, tree }) =>
      type !== undefined && tree.roles.isCircular(type) ? `/S /${type}` : undefined,
  },
  {
    in: { 'pdfua-1': '7.1-7' },
    message: 'The role map must not give a standard structure type another meaning.',
    check({ element: { type }, tree }) {
      const remapped = type === undefined ? undefined : tree.roles.remappedType(type)
      return remapped === undefined ? undefined : `/${remapped} in the role map`
    },
  },
  {
    in: { 'pdfua-1': '7.1-12' },
    message: 'Every structure element must refer to its parent with /P.',
    check: ({ element: { dict, type } }, { document }) =>
      hasEntry(document, dict, 'P') ? undefined : `/${type ?? 'element'} without /P`,
  },
  languageRule('7.2-21', 'ActualText', 'Replacement text of a structure element must have a language.'),
  languageRule('7.2-22', 'Alt', 'The alternate description of a structure element must have a language.'),
  languageRule('7.2-23', 'E', 'The expansion of an abbreviation in a structure element must have a language.'),
  {
    in: { 'pdfua-1': '7.4.4-1' },
    message: 'A structure element must not have more than one kid of type H.',
    check: ({ headings }) => (headings > 1 ? `${headings} kids of type H` : undefined),
  },
]

function languageRule(id: '7.2-21' | '7.2-22' | '7.2-23', key: string, message: string): Rule<ElementSubject> {
  return {
    in: { 'pdfua-1': id },
    message,
    check({ element: { dict }, tree, hasCatalogLanguage }, { document }) {
      if (hasCatalogLanguage || tree.hasLanguage(dict)) return undefined
      const text = textEntry(document, dict, key)
      return text === undefined ? undefined : `/${key} ${quote(text)}`
    },
  }
}

/** A heading with what the headings before it and the document use. */
export interface HeadingSubject {
  element: StructureElement
  level: number
  /** The level of the heading before. 0 if there is none. */
  previousLevel: number
  usesH: boolean
}

/** Rules on H1 to H6 (ISO 14289-1, 7.4). */
export const HEADING_RULES: readonly Rule<HeadingSubject>[] = [
  {
    in: { 'pdfua-1': '7.4.2-1' },
    message: 'Heading levels must start at H1 and must not skip a level on the way down.',
    check({ level, previousLevel }) {
      if (level <= previousLevel + 1) return undefined
      return previousLevel === 0 ? `H${level} is the first heading` : `H${level} after H${previousLevel}`
    },
  },
  {
    in: { 'pdfua-1': '7.4.4-3' },
    message: 'A document with headings H must not also use H1 to H6.',
    check: ({ level, usesH }) => (usesH ? `H${level} and H` : undefined),
  },
]

/** Rules on H (ISO 14289-1, 7.4.4). */
export const PLAIN_HEADING_RULES: readonly Rule<{ usesLevels: boolean }>[] = [
  {
    in: { 'pdfua-1': '7.4.4-2' },
    message: 'A document with headings H1 to H6 must not also use H.',
    check: ({ usesLevels }) => (usesLevels ? 'H and H1 to H6' : undefined),
  },
]

/** Rules on Figure (ISO 14289-1, 7.3). */
export const FIGURE_RULES: readonly Rule<StructureElement>[] = [
  {
    in: { 'pdfua-1': '7.3-1' },
    message: 'Every figure must have an alternate description or replacement text.',
    check: checkAlternative,
  },
]

/** Rules on Formula (ISO 14289-1, 7.7). */
export const FORMULA_RULES: readonly Rule<StructureElement>[] = [
  {
    in: { 'pdfua-1': '7.7-1' },
    message: 'Every formula must have an alternate description or replacement text.',
    check: checkAlternative,
  },
]

function checkAlternative({ dict }: StructureElement, { document }: Examination): Finding {
  if (textEntry(document, dict, 'ActualText') !== undefined || textEntry(document, dict, 'Alt')) return undefined
  return hasString(document, dict, 'Alt') ? 'empty /Alt' : 'no /Alt'
}

/** Rules on Note (ISO 14289-1, 7.9). */
export const NOTE_RULES: readonly Rule<{ id: string | undefined; isDuplicate: boolean }>[] = [
  {
    in: { 'pdfua-1': '7.9-1' },
    message: 'Every note must have an ID.',
    check: ({ id }) => (id ? undefined : id === '' ? 'empty /ID' : 'no /ID'),
  },
  {
    in: { 'pdfua-1': '7.9-2' },
    message: 'Notes must have different IDs.',
    check: ({ id, isDuplicate }) => (isDuplicate ? `/ID ${quote(id ?? '')} again` : undefined),
  },
]

/** Rules on Form (ISO 14289-1, 7.18.4). */
export const FORM_RULES: readonly Rule<{ hasRole: boolean; hasOnlyWidget: boolean }>[] = [
  {
    in: { 'pdfua-1': '7.18.4-2' },
    message: 'A Form element without a Role attribute must have one kid: a reference to a widget annotation.',
    check: ({ hasRole, hasOnlyWidget }) => (hasRole || hasOnlyWidget ? undefined : 'other kids, or none'),
  },
]
