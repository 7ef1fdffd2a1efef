import type { PDFDict } from 'pdf-lib'
import type { Rule } from '../examination/rules'
import { quote } from './values'

/** An annotation as rules see it. */
export interface AnnotationSubject {
  dict: PDFDict
  subtype: string | undefined
  /** The Hidden flag is set, or the rectangle is outside the crop box. */
  isInvisible: boolean
  contents: string | undefined
  /** /TU of the form field that a widget belongs to. */
  fieldName: string | undefined
  /** The structure element that /StructParent leads to. */
  structParent: PDFDict | undefined
  /** The standard type of that element. */
  structParentType: string | undefined
  /** /Alt of that element. */
  alternate: string | undefined
  /** That element or the catalog has a language. */
  hasLanguage: boolean
}

/** Types with rules of their own for their tag. */
const TAGGED_OTHERWISE = new Set(['Widget', 'PrinterMark', 'Link'])

/** Rules on all annotations (ISO 14289-1, 7.2 and 7.18.1). */
export const ANNOTATION_RULES: readonly Rule<AnnotationSubject>[] = [
  {
    in: { 'pdfua-1': '7.2-24' },
    message: 'The /Contents of an annotation must have a language.',
    check: ({ contents, hasLanguage }) =>
      contents === undefined || hasLanguage ? undefined : `/Contents ${quote(contents)}`,
  },
  {
    in: { 'pdfua-1': '7.18.1-1' },
    message: 'An annotation must be tagged as Annot, except for widgets, links and printer’s marks.',
    check: ({ subtype, isInvisible, structParentType }) =>
      isInvisible || structParentType === 'Annot' || (subtype !== undefined && TAGGED_OTHERWISE.has(subtype))
        ? undefined
        : describeTag(subtype, structParentType),
  },
  {
    in: { 'pdfua-1': '7.18.1-2' },
    message: 'A visible annotation must have /Contents, or its structure element must have /Alt.',
    check: ({ subtype, isInvisible, contents, alternate }) =>
      subtype === 'Widget' || isInvisible || contents || alternate
        ? undefined
        : `${subtype ?? 'annotation'} without text`,
  },
]

/** Rules on annotations of one subtype (ISO 14289-1, 7.18). */
export const SUBTYPE_RULES: ReadonlyMap<string, readonly Rule<AnnotationSubject>[]> = new Map([
  [
    'Widget',
    [
      {
        in: { 'pdfua-1': '7.18.1-3' },
        message: 'A form field must have /TU, or the structure elements of its widgets must have /Alt.',
        check: ({ isInvisible, fieldName, alternate }: AnnotationSubject) =>
          isInvisible || fieldName || alternate ? undefined : 'a widget without /TU or /Alt',
      },
      tagRule('7.18.4-1', 'A widget must be tagged as Form.', 'Form'),
    ],
  ],
  [
    'Link',
    [
      tagRule('7.18.5-1', 'A link must be tagged as Link.', 'Link'),
      {
        in: { 'pdfua-1': '7.18.5-2' },
        message: 'A link must have an alternate description in /Contents.',
        check: ({ isInvisible, contents }: AnnotationSubject) =>
          isInvisible || contents ? undefined : contents === '' ? 'empty /Contents' : 'no /Contents',
      },
    ],
  ],
  [
    'TrapNet',
    [
      {
        in: { 'pdfua-1': '7.18.2-1' },
        message: 'The document must not have trap network annotations.',
        check: ({ isInvisible }: AnnotationSubject) => (isInvisible ? undefined : 'TrapNet'),
      },
    ],
  ],
  [
    'PrinterMark',
    [
      {
        in: { 'pdfua-1': '7.18.8-1' },
        message: 'A printer’s mark must not be part of the structure tree.',
        check: ({ isInvisible, structParent }: AnnotationSubject) =>
          isInvisible || !structParent ? undefined : 'a tagged printer’s mark',
      },
    ],
  ],
])

function tagRule(id: '7.18.4-1' | '7.18.5-1', message: string, type: string): Rule<AnnotationSubject> {
  return {
    in: { 'pdfua-1': id },
    message,
    check: ({ subtype, isInvisible, structParentType }) =>
      isInvisible || structParentType === type ? undefined : describeTag(subtype, structParentType),
  }
}

function describeTag(subtype: string | undefined, type: string | undefined): string {
  return `${subtype ?? 'annotation'} ${type === undefined ? 'isn’t tagged' : `tagged as ${type}`}`
}

/** Rules on pages (ISO 14289-1, 7.18.3). */
export const PAGE_RULES: readonly Rule<{ hasAnnotations: boolean; tabs: string | undefined }>[] = [
  {
    in: { 'pdfua-1': '7.18.3-1' },
    message: 'A page with annotations must have /Tabs /S, so that tabs follow the structure.',
    check({ hasAnnotations, tabs }) {
      if (!hasAnnotations || tabs === 'S') return undefined
      return tabs === undefined ? 'no /Tabs' : `/Tabs /${tabs}`
    },
  },
]

/** Rules on form fields (ISO 14289-1, 7.2). */
export const FIELD_RULES: readonly Rule<{ name: string | undefined; hasLanguage: boolean }>[] = [
  {
    in: { 'pdfua-1': '7.2-25' },
    message: 'The /TU of a form field must have a language.',
    check: ({ name, hasLanguage }) => (name === undefined || hasLanguage ? undefined : `/TU ${quote(name)}`),
  },
]
