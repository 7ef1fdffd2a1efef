import { PDFArray, PDFRawStream } from 'pdf-lib'
import type { PDFDict, PDFObject, PDFRef } from 'pdf-lib'
import { annotationsOf } from '../../../pdf/annotations'
import type { PdfDocument } from '../../../pdf/document'
import { inheritedValue } from '../../../pdf/forms'
import * as Name from '../../../pdf/names'
import type { Examination } from '../examination/examination'
import { outputIntentSpace } from '../graphics/output-intent'
import { entryOf, objectOf, plainDict } from '../examination/model'
import type { Location } from '../examination/report'
import { inAllParts, inParts23 } from '../examination/rules'
import type { Rule } from '../examination/rules'

/** An annotation on a page (ISO 32000-2, 12.5). */
export interface Annotation {
  document: PdfDocument
  dict: PDFDict
  subtype: string | undefined
  /** /F. Undefined if it is missing or isn't a number. */
  flags: number | undefined
  /** The appearance dictionary. */
  appearances: PDFDict | undefined
}

/** The annotation types of PDF 1.4 that PDF/A-1 allows. */
const TYPES_OF_PART_1 = new Set(
  (
    'Text Link FreeText Line Square Circle Highlight Underline Squiggly StrikeOut Stamp Ink Popup Widget PrinterMark ' +
    'TrapNet'
  ).split(' '),
)
/** The annotation types of PDF 1.7 that PDF/A-2 and PDF/A-3 allow. */
const LATER_TYPES = new Set([
  ...TYPES_OF_PART_1,
  ...['Polygon', 'PolyLine', 'Caret', 'FileAttachment', 'Watermark', 'Redact'],
])

/** The types of annotations that a part of PDF/A allows (ISO 19005-1, 6.5.2; ISO 19005-2, 6.3.1). */
export function annotationTypesOf(part: number): ReadonlySet<string> {
  return part === 1 ? TYPES_OF_PART_1 : LATER_TYPES
}

// Flags of annotations (ISO 32000-2, table 167).
const INVISIBLE = 1
const HIDDEN = 2
const PRINT = 4
const NO_VIEW = 32
const TOGGLE_NO_VIEW = 256

/** Rules about annotations of every type. */
export const ANNOTATION_RULES: Rule<Annotation>[] = [
  {
    in: inAllParts('6.5.2-1', '6.3.1-1'),
    message: 'Annotations must have a type that the profile allows.',
    check: ({ subtype }, { profile }) => {
      const types = annotationTypesOf(profile.family === 'pdfa-1' ? 1 : 2)
      return subtype !== undefined && types.has(subtype) ? undefined : `/Subtype ${describeName(subtype)}`
    },
  },
  {
    in: { 'pdfa-1': '6.5.3-1' },
    message: 'Annotations must be opaque.',
    check: ({ document, dict }) => {
      const opacity = document.peekNumber(dict.get(Name.CA))
      return opacity === undefined || opacity === 1 ? undefined : `/CA ${opacity}`
    },
  },
  {
    in: { 'pdfa-1': '6.5.3-2' },
    message: 'Annotations must be printed and must not be hidden.',
    check: ({ flags }) =>
      flags === undefined ? 'no /F' : isShown(flags, INVISIBLE | HIDDEN | NO_VIEW) ? undefined : `/F ${flags}`,
  },
  {
    in: inParts23('6.3.2-1'),
    message: 'Annotations must have flags, unless they are pop-ups.',
    check: ({ subtype, flags }) => (subtype === 'Popup' || flags !== undefined ? undefined : 'no /F'),
  },
  {
    in: inParts23('6.3.2-2'),
    message: 'Annotations must be printed and must not be hidden.',
    check: ({ flags }) =>
      flags === undefined || isShown(flags, INVISIBLE | HIDDEN | NO_VIEW | TOGGLE_NO_VIEW) ? undefined : `/F ${flags}`,
  },
  {
    in: { 'pdfa-1': '6.5.3-3' },
    message: 'Annotations may only have colors if the output intent is RGB.',
    check: ({ document, dict }) => {
      const colors = ['C', 'IC'].filter(key => entryOf(document, dict, key) instanceof PDFArray)
      return colors.length === 0 || outputIntentSpace(document) === 'RGB ' ? undefined : `/${colors.join(' and /')}`
    },
  },
  {
    in: inParts23('6.3.3-1'),
    message: 'Annotations must have an appearance, unless they are links, pop-ups or have no area.',
    check: ({ document, dict, subtype, appearances }) =>
      subtype === 'Popup' || subtype === 'Link' || appearances || isEmpty(document, dict)
        ? undefined
        : `/${subtype} without /AP`,
  },
  {
    in: inAllParts('6.5.3-4', '6.3.3-2'),
    message: 'Annotations may only have a normal appearance.',
    check: ({ appearances }) => {
      const keys = appearances?.keys().map(key => `/${key.decodeText()}`) ?? []
      return !appearances || keys.join('') === '/N' ? undefined : `/AP with ${keys.join(', ') || 'no entry'}`
    },
  },
  {
    in: inAllParts('6.5.3-5', '6.3.3-3'),
    message: 'The normal appearance of a button must have one appearance for each of its states.',
    check: annotation => {
      if (!hasOnlyNormal(annotation) || !isButton(annotation)) return undefined
      const states = plainDict(annotation.document, annotation.appearances?.get(Name.N))
      if (!states) return '/N is not a dictionary of appearances'
      const isSound = states.values().every(value => annotation.document.peek(value) instanceof PDFRawStream)
      return isSound ? undefined : '/N has an entry that is not an appearance'
    },
  },
  {
    in: inAllParts('6.5.3-6', '6.3.3-4'),
    message: 'The normal appearance must be an appearance stream, unless the annotation is a button.',
    check: annotation => {
      if (!hasOnlyNormal(annotation) || isButton(annotation)) return undefined
      const normal = annotation.document.peek(annotation.appearances?.get(Name.N))
      return normal instanceof PDFRawStream ? undefined : '/N is not a stream'
    },
  },
]

/** Rules about the widgets of form fields. */
export const WIDGET_RULES: Rule<Annotation>[] = [
  {
    in: { 'pdfa-1': '6.6.1-3' },
    message: 'Form fields must not have actions.',
    check: ({ dict }) => (dict.has(Name.A) ? '/A' : undefined),
  },
  {
    in: { 'pdfa-1': '6.6.2-1' },
    message: 'Widgets must not have additional actions.',
    check: ({ dict }) => (dict.has(Name.AA) ? '/AA' : undefined),
  },
  {
    in: inParts23('6.4.1-1'),
    message: 'Widgets must not have actions or additional actions.',
    check: ({ dict }) => {
      const keys = [Name.A, Name.AA].filter(key => dict.has(key))
      return keys.length > 0 ? keys.map(key => `/${key.decodeText()}`).join(' and ') : undefined
    },
  },
  {
    in: { 'pdfa-1': '6.9-2' },
    message: 'Form fields must have an appearance.',
    check: ({ appearances }) => (appearances ? undefined : 'no /AP'),
  },
]

/** The annotations of all pages, with their locations. */
export function* listAnnotations({ document }: Examination): Generator<{ annotation: Annotation; location: Location }> {
  for (const [index, page] of document.pages.entries())
    for (const value of annotationsOf(document, page)) {
      const dict = document.peekDict(value)
      if (!dict) continue
      const location = { page: index + 1, ...objectLocation(value, page.ref) }
      yield { annotation: readAnnotation(document, dict), location }
    }
}

/** The object that contains a value: the value itself if it is indirect, or else its owner. */
export function objectLocation(value: PDFObject | undefined, owner?: PDFRef): Location {
  const object = objectOf(value) ?? objectOf(owner)
  return object === undefined ? {} : { object }
}

function readAnnotation(document: PdfDocument, dict: PDFDict): Annotation {
  return {
    document,
    dict,
    subtype: document.peekName(dict.get(Name.Subtype)),
    flags: document.peekNumber(dict.get(Name.F)),
    appearances: plainDict(document, dict.get(Name.AP)),
  }
}

function isShown(flags: number, forbidden: number): boolean {
  return (flags & PRINT) === PRINT && (flags & forbidden) === 0
}

/** Returns whether the appearance dictionary has no entry besides /N. Another rule finds the others. */
function hasOnlyNormal({ appearances }: Annotation): boolean {
  return appearances?.keys().length === 1 && appearances.has(Name.N)
}

function isButton({ document, dict, subtype }: Annotation): boolean {
  return subtype === 'Widget' && document.peekName(inheritedValue(document, dict, Name.FT)) === 'Btn'
}

function isEmpty(document: PdfDocument, dict: PDFDict): boolean {
  const [left, bottom, right, top] =
    document
      .peekArray(dict.get(Name.Rect))
      ?.asArray()
      .map(value => document.peekNumber(value)) ?? []
  return left !== undefined && left === right && bottom !== undefined && bottom === top
}

function describeName(name: string | undefined): string {
  return name === undefined ? 'is missing' : `/${name}`
}
