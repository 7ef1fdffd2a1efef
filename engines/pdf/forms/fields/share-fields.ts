import { PDFArray, PDFDict, PDFName, PDFNumber } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import { readBox } from '../../geometry/box'
import type { PdfDocument } from '../../document/document'
import { detachFieldEntries, inheritedValue, separateWidget, widgetsOf } from './field-tree'
import { readText } from '../../syntax/text-string'
import * as Name from '../../syntax/names'

/**
 * Flags that two fields may have differently and still be one: ReadOnly, Required, NoExport (ISO 32000-2, table 227).
 */
const COMMON_FLAGS = 7

/** Flags of buttons (ISO 32000-2, table 229). */
const RADIO = 1 << 15
const PUSH = 1 << 16

/** Entries that belong to a value: the text, its styles, and the indices of selected options. */
const VALUE_KEYS = ['V', 'RV', 'DS', 'I'].map(name => PDFName.of(name))

/** Entries that define how a widget draws its text. */
const LOOK_KEYS = ['DA', 'Q'].map(name => PDFName.of(name))

/** Field actions that must stay together. For example, /F formats the text that /K accepts (ISO 32000-2, table 199). */
const ACTION_GROUPS = [['K', 'F'], ['V'], ['C']].map(group => group.map(name => PDFName.of(name)))

/** Maximum difference in size between two widgets that can share an appearance, in points. */
const SLACK_PT = 0.5

/** A field that received more widgets. */
export interface SharedField {
  ref: PDFRef
  /** Whether some of its widgets show an outdated value. */
  isStale: boolean
}

/** Returns whether two fields can become one: they have the same type, kind and options. Signature fields never can. */
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
  const list = document.peekItems(value)
  return JSON.stringify(
    list.map(item => {
      const choice = document.peek(item)
      return choice instanceof PDFArray ? choice.asArray().map(part => readText(document.peek(part))) : readText(choice)
    }),
  )
}

/** The names of a button's "on" states. */
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
 * Adds the widgets of `field` to `holder`, a field below `parent`. The holder keeps its value and its actions. If it
 * has no value or no action of a kind, it takes them from `field`. A holder that is merged with its widget becomes a
 * separate field with its own reference.
 */
export function shareField(
  document: PdfDocument,
  { holder, field, parent }: { holder: PDFRef; field: PDFRef; parent: PDFRef | undefined },
): SharedField {
  const [ours, theirs] = [widgetsOf(document, holder), widgetsOf(document, field)]
  const isMerged = ours[0] === holder
  const [value, other] = [holder, field].map(one => inheritedValue(document, one, Name.V))
  const takesOther = isEmpty(value) && !isEmpty(other)
  const otherValues = VALUE_KEYS.map(key => [key, inheritedValue(document, field, key)] as const)
  const type = inheritedValue(document, holder, Name.FT)
  const looks = LOOK_KEYS.map(key => [key, inheritedValue(document, field, key)] as const)
  const ref = isMerged ? separateWidget(document, holder) : holder
  const edited = document.edit(ref)
  if (parent) edited.set(Name.Parent, parent)
  if (takesOther) {
    for (const [key, entry] of otherValues) {
      if (entry) edited.set(key, entry)
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

/** Copies actions to a field, except for groups of actions that the field already has. */
function takeActions(document: PdfDocument, field: PDFDict, added: PDFObject | undefined): void {
  const [existing, theirs] = [document.peekDict(field.get(Name.AA)), document.peekDict(added)]
  const free = ACTION_GROUPS.filter(group => !group.some(key => existing?.has(key))).flat()
  const addedActions = free.flatMap((key): [PDFName, PDFObject][] => {
    const action = theirs?.get(key)
    return action ? [[key, action]] : []
  })
  if (addedActions.length === 0) return
  field.set(
    Name.AA,
    PDFDict.fromMapWithContext(new Map([...(existing?.entries() ?? []), ...addedActions]), document.context),
  )
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

/**
 * Copies the appearance of a widget that already shows the value. Returns false if no such widget has the same size.
 */
function lendAppearance(document: PdfDocument, widget: PDFRef, fresh: PDFRef[]): boolean {
  const targetBox = readBox(document, document.peekDict(widget)?.get(Name.Rect))
  const lender = fresh
    .map(one => document.peekDict(one))
    .find(dict => {
      const box = readBox(document, dict?.get(Name.Rect))
      return (
        dict?.has(Name.AP) &&
        box &&
        targetBox &&
        Math.abs(box.width - targetBox.width) <= SLACK_PT &&
        Math.abs(box.height - targetBox.height) <= SLACK_PT
      )
    })
  const appearance = lender?.get(Name.AP)
  if (appearance) document.edit(widget).set(Name.AP, appearance)
  return appearance !== undefined
}
