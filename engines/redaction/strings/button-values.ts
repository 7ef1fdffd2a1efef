import { PDFDict, PDFName, PDFRef, PDFString } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { OFF } from '../../forms/button-states'
import { decodeName, readFormFields } from '../../forms/form-field'
import type { PdfDocument } from '../../pdf-core/document/document'
import { readText } from '../../pdf-core/syntax/text-string'
import * as Name from '../../pdf-core/syntax/names'

/** Appearances of a widget, each by the names of its states (ISO 32000-2, table 170). */
const APPEARANCES = ['N', 'D', 'R'].map(key => PDFName.of(key))

/** Levels of fields above one another that are looked at. */
const MAX_DEPTH = 64

interface Group {
  field: PDFRef
  widgets: { ref: PDFRef; states: ReadonlySet<string> }[]
}

/**
 * Remembers the buttons of check boxes and radio groups. Call the returned function when some of them were removed: a
 * field whose chosen button went becomes `Off`, and no value or export value of a removed button stays.
 */
export function watchButtons(document: PdfDocument): () => void {
  const groups: Group[] = readFormFields(document)
    .filter(({ kind }) => kind === 'checkbox' || kind === 'radio')
    .map(({ ref, widgets }) => ({
      field: ref,
      widgets: widgets.map(widget => ({ ref: widget, states: statesOf(document, widget) })),
    }))
  return () => {
    for (const group of groups) settle(document, group)
  }
}

/** The names that a button has for its states, apart from `Off`. */
function statesOf(document: PdfDocument, widget: PDFObject): Set<string> {
  const dict = document.peekDict(widget)
  const appearances = document.peekDict(dict?.get(Name.AP))
  const drawn = APPEARANCES.flatMap(key => {
    const states = document.peek(appearances?.get(key))
    return states instanceof PDFDict ? states.keys() : []
  })
  const current = document.peek(dict?.get(Name.AS))
  const names = current instanceof PDFName ? [...drawn, current] : drawn
  return new Set(names.filter(state => state !== OFF).map(decodeName))
}

function settle(document: PdfDocument, { field, widgets }: Group): void {
  const isGone = ({ ref }: Group['widgets'][number]): boolean => document.store.isSevered(ref.objectNumber)
  if (document.store.isSevered(field.objectNumber) || !widgets.some(isGone)) return
  const left = new Set(widgets.filter(widget => !isGone(widget)).flatMap(({ states }) => [...states]))
  const exported = cutOptions(
    document,
    field,
    widgets.map(widget => ({ isGone: isGone(widget), states: widget.states })),
  )
  let ref: PDFObject | undefined = field
  for (let depth = 0; ref instanceof PDFRef && depth < MAX_DEPTH; depth++) {
    const dict: PDFDict | undefined = document.peekDict(ref)
    if (!dict) return
    for (const key of [Name.V, Name.DV]) {
      const text = textOf(document.peek(dict.get(key)))
      if (text === undefined || text === 'Off' || left.has(text) || exported.has(text)) continue
      if (key === Name.V) document.edit(ref).set(Name.V, OFF)
      else document.edit(ref).delete(Name.DV)
    }
    ref = dict.get(Name.Parent)
  }
}

/**
 * Empties the export values of buttons that went; gives those that stay. A state that is a number is an index into the
 * list (ISO 32000-2, 12.7.5.2.4), so the list keeps its length then.
 */
function cutOptions(
  document: PdfDocument,
  field: PDFRef,
  widgets: { isGone: boolean; states: ReadonlySet<string> }[],
): Set<string> {
  const owner = findOwner(document, field, Name.Opt)
  const options = document.peekArray(owner && document.peekDict(owner)?.get(Name.Opt))
  if (!owner || !options) return new Set()
  const isNumbered = widgets.some(({ states }) => [...states].some(state => /^\d+$/.test(state)))
  const used = new Set(
    widgets.flatMap(({ isGone, states }, place) => (isGone ? [] : isNumbered ? [...states].map(Number) : [place])),
  )
  const values = options.asArray()
  const kept = isNumbered
    ? values.map((value, place) => (used.has(place) ? value : PDFString.of('')))
    : values.filter((_, place) => used.has(place))
  document.edit(owner).set(Name.Opt, document.context.obj(kept))
  return new Set(kept.flatMap(value => textOf(document.peek(value)) || []))
}

/** The field, or the nearest one above it, that has the entry itself. */
function findOwner(document: PdfDocument, field: PDFRef, key: PDFName): PDFRef | undefined {
  let ref: PDFObject | undefined = field
  for (let depth = 0; ref instanceof PDFRef && depth < MAX_DEPTH; depth++) {
    const dict: PDFDict | undefined = document.peekDict(ref)
    if (dict?.has(key)) return ref
    ref = dict?.get(Name.Parent)
  }
  return undefined
}

function textOf(value: PDFObject | undefined): string | undefined {
  return value instanceof PDFName ? decodeName(value) : readText(value)
}
