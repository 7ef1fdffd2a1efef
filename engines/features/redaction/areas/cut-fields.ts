import { PDFArray, PDFHexString, PDFRef, PDFString } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { findAppearance, fitAppearance } from '../../../pdf/annotations'
import { addDeflatedStream, deflatedStream, Page } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import { FLAG, choicesOf, readFormFields, valuesOf } from '../../../pdf/forms'
import type { FormField } from '../../../pdf/forms'
import { boundsOfBox, readBounds } from '../../../pdf/geometry'
import type { Bounds, Matrix } from '../../../pdf/geometry'
import * as Name from '../../../pdf/names'
import { PageReader } from '../../../pdf/read-page'
import type { Glyph } from '../../../pdf/read-page'
import { rewriteContent } from '../../../pdf/rewrite-content'
import { writeNumbers, writeText } from '../../../pdf/syntax'
import { writeColor } from '../../../options/colors'
import type { Color } from '../../../options/colors'
import { annotationsUnder } from './annotations-near'
import type { PageAreas } from './areas'
import { RemoveAreas } from './remove-areas'

/** A field goes as a whole if areas cover more than this share of it. */
const MOST_COVERED = 0.5

/** The flag of annotations that don't rotate with their page (ISO 32000-2, table 167). */
const NO_ROTATE = 1 << 4

/** Fields of which only the part under an area was removed. */
export interface CutFields {
  /** The widgets, which show nothing under the areas any more. */
  kept: ReadonlySet<PDFRef>
  /** The texts before, by the position of the page. */
  texts: ReadonlyMap<number, readonly string[]>
}

/** A field that is partly under areas: its widget, and a page outside the document that shows only its appearance. */
interface Candidate {
  field: FormField
  widget: PDFRef
  index: number
  sheet: Page
  /** Maps the appearance to user space of the page. */
  matrix: Matrix
  filter: RemoveAreas
  /** The texts that the appearance shows, one after the other. */
  texts: readonly string[]
  glyphs: readonly Glyph[]
}

/**
 * Removes the letters under areas from the appearances and the values of text fields, lists and dropdowns. The other
 * letters stay where they are. Fields stay unchanged if they are mostly under an area, if they have several widgets, or if
 * their appearance shows another text than their value. With `color`, boxes are drawn over the areas, because appearances
 * cover the boxes of the page. Throws EngineError like `rewriteContent`.
 */
export async function cutFields(document: PdfDocument, pages: readonly PageAreas[], color?: Color): Promise<CutFields> {
  const candidates = pages.flatMap(page => findCandidates(document, page))
  const kept = new Set<PDFRef>()
  const texts = new Map<number, string[]>()
  if (candidates.length > 0)
    await rewriteContent(
      document,
      candidates.map(({ sheet, filter }) => ({ page: sheet, filter })),
    )
  for (const candidate of candidates) {
    const { field, widget, index, sheet, filter } = candidate
    const remaining = filter.isInDoubt ? undefined : cutTexts(candidate, readGlyphs(document, sheet))
    const [form] =
      document.peekDict(document.peekDict(sheet.dict.get(Name.Resources))?.get(Name.XObject))?.values() ?? []
    document.store.sever([sheet.ref.objectNumber])
    if (!remaining || !form) continue
    kept.add(widget)
    const shown = color ? addBoxes(document, form, candidate, color) : form
    document.edit(widget).set(Name.AP, document.context.obj({ N: shown }))
    if (remaining.every((text, at) => text === candidate.texts[at])) continue
    texts.set(index, [...(texts.get(index) ?? []), ...candidate.texts])
    replaceTexts(document, field, new Map(candidate.texts.map((text, at) => [text, remaining[at] as string])))
  }
  return { kept, texts }
}

/** Adds an appearance in user space of the page. It shows a form, with boxes over the areas. */
function addBoxes(document: PdfDocument, form: PDFObject, { sheet, matrix, filter }: Candidate, color: Color): PDFRef {
  const boxes = filter.holes.map(
    ({ left, bottom, right, top }) => `${writeNumbers([left, bottom, right - left, top - bottom])} re`,
  )
  const entries = document.context.obj({
    Type: 'XObject',
    Subtype: 'Form',
    BBox: sheet.dict.get(Name.MediaBox) ?? [],
    Resources: { XObject: { X: form } },
  })
  const content = `${show(matrix)}\nq ${writeColor(color, 'rg')} ${boxes.join(' ')} f Q`
  return document.register(deflatedStream(document, entries, Buffer.from(content)))
}

function show(matrix: Matrix): string {
  return `q ${writeNumbers(matrix)} cm /X Do Q`
}

function findCandidates(document: PdfDocument, { index, frame, areas }: PageAreas): Candidate[] {
  const page = document.pages[index]
  if (areas.some(({ replacementText }) => replacementText !== undefined)) return []
  const under = new Set(page && areas.length > 0 ? annotationsUnder(document, page, areas) : [])
  if (under.size === 0) return []
  const holes = areas.map(({ hole }) => hole)
  return readFormFields(document).flatMap(field => {
    const [widget, ...others] = field.widgets
    const dict = widget && others.length === 0 ? document.peekDict(widget) : undefined
    const texts = dict && under.has(dict) ? textsOf(document, field) : []
    if (!widget || !dict || texts.length === 0 || (document.peekNumber(dict.get(Name.F)) ?? 0) & NO_ROTATE) return []
    const rect = readBounds(document, dict.get(Name.Rect))
    const opened = rect && coveredShare(rect, holes) <= MOST_COVERED ? openSheet(document, widget) : undefined
    if (!opened) return []
    const glyphs = readGlyphs(document, opened.sheet)
    const shown = findShown(texts, glyphs)
    const filter = new RemoveAreas({ holes, visible: boundsOfBox(frame.visible), images: 'overlap' })
    return shown ? [{ ...opened, field, widget, index, filter, texts: shown, glyphs }] : []
  })
}

/** The texts that a field may show: its value, or the labels of all its options. Empty for other fields. */
function textsOf(document: PdfDocument, field: FormField): string[] {
  if (field.kind === 'list') return choicesOf(document, field).map(({ label }) => label)
  const [value = ''] = valuesOf(document, field)
  if (field.kind === 'dropdown')
    return [choicesOf(document, field).find(choice => choice.value === value)?.label ?? value]
  return field.kind === 'text' && !(field.flags & FLAG.password) ? [value] : []
}

/** The share of a rectangle that the holes cover. Parts under several holes count several times. */
function coveredShare({ left, right, bottom, top }: Bounds, holes: readonly Bounds[]): number {
  const parts = holes.map(
    hole =>
      Math.max(0, Math.min(right, hole.right) - Math.max(left, hole.left)) *
      Math.max(0, Math.min(top, hole.top) - Math.max(bottom, hole.bottom)),
  )
  return parts.reduce((sum, part) => sum + part, 0) / ((right - left) * (top - bottom))
}

/** Returns a page that shows the appearance of a widget where its own page shows it. */
function openSheet(document: PdfDocument, widget: PDFRef): Pick<Candidate, 'sheet' | 'matrix'> | undefined {
  const dict = document.peekDict(widget)
  const ref = dict && findAppearance(document, dict)
  const form = document.peekDict(ref)
  const matrix = dict && form && fitAppearance(document, dict, form, 0)
  if (!ref || !matrix || document.peek(form?.get(Name.Subtype)) !== Name.Form || !form?.has(Name.Resources))
    return undefined
  const { context } = document
  const sheet = context.obj({
    Type: 'Page',
    MediaBox: dict?.get(Name.Rect) ?? [],
    Contents: addDeflatedStream(document, Buffer.from(show(matrix))),
    Resources: { XObject: { X: ref } },
  })
  return { sheet: new Page(document, document.register(sheet), new Map()), matrix }
}

function readGlyphs(document: PdfDocument, sheet: Page): readonly Glyph[] {
  return new PageReader(document, { layers: 'all' }).read(sheet).glyphs
}

/** Returns the texts in a row that the glyphs show completely. Undefined if they show something else. */
function findShown(texts: readonly string[], glyphs: readonly Glyph[]): readonly string[] | undefined {
  const shown = lettersOf(glyphs.map(({ text }) => text).join(''))
  for (let from = 0; from < texts.length; from++) {
    let [to, joined] = [from, '']
    while (to < texts.length && joined.length < shown.length) joined += lettersOf(texts[to++] as string)
    if (joined === shown) return texts.slice(from, Math.max(to, from + 1))
  }
  return undefined
}

function lettersOf(text: string): string {
  return text.normalize('NFKC').replace(/[\s\p{C}]+/gu, '')
}

/** Returns the texts without the letters whose glyphs are gone. Undefined if they can't be told. */
function cutTexts({ texts, glyphs }: Candidate, left: readonly Glyph[]): string[] | undefined {
  let next = 0
  const gone: boolean[] = []
  for (const glyph of glyphs) {
    const same = left[next]
    const isLeft =
      same !== undefined &&
      same.text === glyph.text &&
      Math.abs(same.x - glyph.x) < SAME_PLACE &&
      Math.abs(same.y - glyph.y) < SAME_PLACE
    if (isLeft) next++
    gone.push(...Array.from(lettersOf(glyph.text), () => !isLeft))
  }
  if (next !== left.length) return undefined
  let at = 0
  return texts.map(text =>
    Array.from(text)
      .filter(character => {
        const letters = Array.from(lettersOf(character))
        const isGone = letters.some((_, index) => gone[at + index])
        at += letters.length
        return !isGone
      })
      .join(''),
  )
}

/** Glyphs within this distance, in units of user space, are the same before and after. */
const SAME_PLACE = 0.05

/** Replaces texts in the value and the options of a field, and removes what may repeat them. */
function replaceTexts(document: PdfDocument, field: FormField, replacements: ReadonlyMap<string, string>): void {
  const byValue = new Map(replacements)
  for (const { value, label } of choicesOf(document, field)) {
    const text = replacements.get(label)
    if (text !== undefined && text !== label) byValue.set(value, text)
  }
  const replace = (object: PDFObject | undefined): PDFObject | undefined => {
    const value = document.peek(object)
    if (value instanceof PDFArray) {
      const option = value.size() === 2 ? document.peek(value.get(1)) : undefined
      const label = option && replaceText(option, replacements)
      // An option with another label loses its export value too.
      return label ?? document.context.obj(value.asArray().map(item => replace(item) ?? item))
    }
    return value && replaceText(value, byValue)
  }
  let ref: PDFObject | undefined = field.ref
  for (let depth = 0; ref instanceof PDFRef && depth < MAX_DEPTH; depth++) {
    const dict = document.edit(ref)
    dict.delete(Name.RV)
    for (const key of [Name.V, Name.DV, Name.Opt]) {
      const value = replace(dict.get(key))
      if (value) dict.set(key, value)
      else if (key === Name.DV) dict.delete(key)
    }
    ref = dict.get(Name.Parent)
  }
}

function replaceText(value: PDFObject, replacements: ReadonlyMap<string, string>): PDFObject | undefined {
  if (!(value instanceof PDFString || value instanceof PDFHexString)) return undefined
  const text = value.decodeText()
  const next = replacements.get(text)
  return next === undefined || next === text ? undefined : writeText(next)
}

/** Maximum number of parent fields to change. */
const MAX_DEPTH = 64
