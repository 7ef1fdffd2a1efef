import { PDFDict, PDFName, PDFRef, PDFString } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { decodeName, OFF, readFormFields } from '../../../pdf/forms'
import type { PdfDocument } from '../../../pdf/document'
import { readText } from '../../../pdf/syntax'
import * as Name from '../../../pdf/names'

/** Keys of a widget's appearances (ISO 32000-2, table 170). */
const APPEARANCES = ['N', 'D', 'R'].map(key => PDFName.of(key))

/** Maximum number of parent fields to read. */
const MAX_DEPTH = 64

interface Group {
  field: PDFRef
  widgets: { ref: PDFRef; states: ReadonlySet<string> }[]
}

/**
 * Remembers the buttons of check boxes and radio groups. Call the returned function after buttons were removed. It sets
 * a field to `Off` if its chosen button was removed. It also removes values and export values of removed buttons.
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

/** Returns the names of a button's states, except `Off`. */
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
  const isRemoved = ({ ref }: Group['widgets'][number]): boolean => document.store.isSevered(ref.objectNumber)
  if (document.store.isSevered(field.objectNumber) || !widgets.some(isRemoved)) return
  const remainingStates = new Set(widgets.filter(widget => !isRemoved(widget)).flatMap(({ states }) => [...states]))
  const exported = cutOptions(
    document,
    field,
    widgets.map(widget => ({ isRemoved: isRemoved(widget), states: widget.states })),
  )
  let ref: PDFObject | undefined = field
  for (let depth = 0; ref instanceof PDFRef && depth < MAX_DEPTH; depth++) {
    const dict: PDFDict | undefined = document.peekDict(ref)
    if (!dict) return
    for (const key of [Name.V, Name.DV]) {
      const text = textOf(document.peek(dict.get(key)))
      if (text === undefined || text === 'Off' || remainingStates.has(text) || exported.has(text)) continue
      if (key === Name.V) document.edit(ref).set(Name.V, OFF)
      else document.edit(ref).delete(Name.DV)
    }
    ref = dict.get(Name.Parent)
  }
}

/**
 * Removes the export values of removed buttons. Returns the remaining values. If states are numbers, they are indexes
 * into the list (ISO 32000-2, 12.7.5.2.4), so the list keeps its length.
 */
function cutOptions(
  document: PdfDocument,
  field: PDFRef,
  widgets: { isRemoved: boolean; states: ReadonlySet<string> }[],
): Set<string> {
  const owner = findOwner(document, field, Name.Opt)
  const options = document.peekArray(owner && document.peekDict(owner)?.get(Name.Opt))
  if (!owner || !options) return new Set()
  const isNumbered = widgets.some(({ states }) => [...states].some(state => /^\d+$/.test(state)))
  const used = new Set(
    widgets.flatMap(({ isRemoved: isGone, states }, index) =>
      isGone ? [] : isNumbered ? [...states].map(Number) : [index],
    ),
  )
  const values = options.asArray()
  const remainingValues = isNumbered
    ? values.map((value, index) => (used.has(index) ? value : PDFString.of('')))
    : values.filter((_, index) => used.has(index))
  document.edit(owner).set(Name.Opt, document.context.obj(remainingValues))
  return new Set(remainingValues.flatMap(value => textOf(document.peek(value)) || []))
}

/** Returns the field, or its nearest parent field, that has the entry. */
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
