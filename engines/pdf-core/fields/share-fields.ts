import { PDFArray, PDFDict, PDFName, PDFNumber } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import { readBox } from '../geometry/box'
import type { PdfDocument } from '../document/document'
import { detachFieldEntries, inheritedValue, separateWidget, widgetsOf } from './field-tree'
import { readText } from '../syntax/text-string'
import * as Name from '../syntax/names'

/** Flags that do not make two fields different: read-only, required, not exported (ISO 32000-2, table 227). */
const COMMON_FLAGS = 7

/** Flags of buttons (ISO 32000-2, table 229). */
const RADIO = 1 << 15
const PUSH = 1 << 16

/** What a value takes with it: the text with its styles, and the positions of what is chosen. */
const VALUE_KEYS = ['V', 'RV', 'DS', 'I'].map(name => PDFName.of(name))

/** How a widget writes its text. */
const LOOK_KEYS = ['DA', 'Q'].map(name => PDFName.of(name))

/** Actions of a field that are taken together: one formats what the other lets pass (ISO 32000-2, table 199). */
const ACTION_GROUPS = [['K', 'F'], ['V'], ['C']].map(group => group.map(name => PDFName.of(name)))

/** Widgets may differ so much in points and still show the same drawing. */
const SLACK_PT = 0.5

/** A field that got further widgets. */
export interface SharedField {
  ref: PDFRef
  /** Whether some of its widgets show another value than it has now. */
  isStale: boolean
}

/** Whether two fields can be one: of one type and kind, with the same choices. Signatures never are. */
export function fieldsFit(document: PdfDocument, one: PDFRef, other: PDFRef): boolean {
  const [first, second] = [one, other].map(field => kindOf(document, field))
  return first !== undefined && first === second
}

function kindOf(document: PdfDocument, field: PDFRef): string | undefined {
  const value = (key: PDFName): PDFObject | undefined => inheritedValue(document, field, key)
  const type = value(Name.FT)
  const name = type instanceof PDFName ? type.decodeText() : ''
  if (!['Tx', 'Btn', 'Ch'].includes(name)) return undefined
  const flags = flagsOf(document, field) & ~COMMON_FLAGS
  const isCheckBox = name === 'Btn' && !(flags & (RADIO | PUSH))
  const states = isCheckBox
    ? [...new Set(widgetsOf(document, field).flatMap(widget => statesOf(document, widget)))].sort().join(' ')
    : ''
  return [name, flags, String(value(Name.MaxLen) ?? ''), choicesOf(document, value(Name.Opt)), states].join('|')
}

function flagsOf(document: PdfDocument, field: PDFRef): number {
  const flags = inheritedValue(document, field, Name.Ff)
  return flags instanceof PDFNumber ? flags.asNumber() : 0
}

function choicesOf(document: PdfDocument, value: PDFObject | undefined): string {
  const list = document.peekArray(value)?.asArray() ?? []
  return JSON.stringify(
    list.map(item => {
      const choice = document.peek(item)
      return choice instanceof PDFArray ? choice.asArray().map(part => readText(document.peek(part))) : readText(choice)
    }),
  )
}

/** The names under which a button shows that it is on. */
function statesOf(document: PdfDocument, widget: PDFRef): string[] {
  const normal = document.peek(document.peekDict(document.peekDict(widget)?.get(Name.AP))?.get(Name.N))
  return normal instanceof PDFDict
    ? normal
        .keys()
        .filter(key => key !== Name.Off)
        .map(key => key.decodeText())
    : []
}

/**
 * Makes the widgets of `field` further ones of `holder`, which stands below `parent`. The holder's value stays; where
 * it has none, it takes the other's, and so with its actions. The holder gets a reference of its own where it was one
 * with its widget.
 */
export function shareField(
  document: PdfDocument,
  { holder, field, parent }: { holder: PDFRef; field: PDFRef; parent: PDFRef | undefined },
): SharedField {
  const [ours, theirs] = [widgetsOf(document, holder), widgetsOf(document, field)]
  const isMerged = ours[0] === holder
  const [value, other] = [holder, field].map(one => inheritedValue(document, one, Name.V))
  const takesOther = isEmpty(value) && !isEmpty(other)
  const taken = VALUE_KEYS.map(key => [key, inheritedValue(document, field, key)] as const)
  const type = inheritedValue(document, holder, Name.FT)
  const looks = LOOK_KEYS.map(key => [key, inheritedValue(document, field, key)] as const)
  const ref = isMerged ? separateWidget(document, holder) : holder
  const edited = document.edit(ref)
  if (parent) edited.set(Name.Parent, parent)
  if (takesOther) {
    for (const [key, given] of taken) {
      if (given) edited.set(key, given)
      else edited.delete(key)
    }
  }
  let actions = document.peekDict(field)?.get(Name.AA)
  for (const widget of theirs) {
    const dict = document.edit(widget)
    if (widget === field) actions = detachFieldEntries(document, dict).get(Name.AA)
    for (const [key, look] of looks) if (look && !dict.has(key)) dict.set(key, look)
    dict.set(Name.Parent, ref)
  }
  takeActions(document, edited, actions)
  edited.set(Name.Kids, document.context.obj([...ours, ...theirs]))
  const isSame = textOf(value) === textOf(other) || (isEmpty(value) && isEmpty(other))
  const [stale, fresh] = isSame ? [[], []] : takesOther ? [ours, theirs] : [theirs, ours]
  const name = type instanceof PDFName ? type.decodeText() : ''
  if (name === 'Btn') showStates(document, { widgets: stale, value: takesOther ? other : value })
  const undrawn = name === 'Btn' ? [] : stale.filter(widget => !lendAppearance(document, widget, fresh))
  return { ref, isStale: undrawn.length > 0 }
}

/** Gives a field those actions of another that it has none of its kind of. */
function takeActions(document: PdfDocument, field: PDFDict, added: PDFObject | undefined): void {
  const [own, theirs] = [document.peekDict(field.get(Name.AA)), document.peekDict(added)]
  const free = ACTION_GROUPS.filter(group => !group.some(key => own?.has(key))).flat()
  const taken = free.flatMap((key): [PDFName, PDFObject][] => {
    const action = theirs?.get(key)
    return action ? [[key, action]] : []
  })
  if (taken.length === 0) return
  field.set(Name.AA, PDFDict.fromMapWithContext(new Map([...(own?.entries() ?? []), ...taken]), document.context))
}

function isEmpty(value: PDFObject | undefined): boolean {
  if (value instanceof PDFArray) return value.size() === 0
  return value === undefined || value === Name.Off || textOf(value) === ''
}

function textOf(value: PDFObject | undefined): string {
  return readText(value) ?? value?.toString() ?? ''
}

function showStates(
  document: PdfDocument,
  { widgets, value }: { widgets: PDFRef[]; value: PDFObject | undefined },
): void {
  for (const widget of widgets) {
    const isOn = value instanceof PDFName && statesOf(document, widget).includes(value.decodeText())
    document.edit(widget).set(Name.AS, isOn ? value : Name.Off)
  }
}

/** Shows a value with the drawing of a widget that shows it already; false when none is of the same size. */
function lendAppearance(document: PdfDocument, widget: PDFRef, fresh: PDFRef[]): boolean {
  const own = readBox(document, document.peekDict(widget)?.get(Name.Rect))
  const lender = fresh
    .map(one => document.peekDict(one))
    .find(dict => {
      const box = readBox(document, dict?.get(Name.Rect))
      return (
        dict?.has(Name.AP) &&
        box &&
        own &&
        Math.abs(box.width - own.width) <= SLACK_PT &&
        Math.abs(box.height - own.height) <= SLACK_PT
      )
    })
  const appearance = lender?.get(Name.AP)
  if (appearance) document.edit(widget).set(Name.AP, appearance)
  return appearance !== undefined
}
