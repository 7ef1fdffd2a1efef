import { PDFArray, PDFDict, PDFName, PDFStream } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { readText } from '../syntax/text-string'
import { decodeName, findInherited } from './form-field'
import type { FormField } from './form-field'
import * as Name from '../syntax/names'

/** The appearance state of a button that is off (ISO 32000-2, 12.7.5.2.3). */
export const OFF = Name.Off

/** A button of a check box or a radio group. */
export interface Button {
  widget: PDFRef
  /** The value of /V and /AS if the button is on. Generated if the file has none. */
  state: PDFName
  /** Names that a request may use for the button: the export value, the state, the tooltip. */
  labels: string[]
  /** Whether the file has an appearance for the on state. */
  isDrawn: boolean
}

/** Returns the buttons of a check box or a radio group, in the order of their widgets. */
export function buttonsOf(document: PdfDocument, field: FormField): Button[] {
  const options = findInherited(document, [field.ref], Name.Opt)
  const exported = options instanceof PDFArray ? options.asArray().map(item => readText(document.peek(item))) : []
  const isGroup = field.kind === 'radio' || field.widgets.length > 1
  return field.widgets.map((widget, index) => {
    const drawn = findDrawnState(document, widget)
    const state =
      drawn ??
      findOtherState(document, widget) ??
      PDFName.of(field.kind === 'radio' && isGroup ? `Choice${index + 1}` : 'Yes')
    const tip =
      field.kind === 'radio' && widget !== field.ref
        ? readText(document.peek(document.peekDict(widget)?.get(Name.TU)))
        : undefined
    const labels = [exported[index], decodeName(state), tip].flatMap(label => label || [])
    return { widget, state, labels: [...new Set(labels)], isDrawn: drawn !== undefined }
  })
}

/**
 * Returns the name of a button that a request can use: its first label. If buttons with another state have the same
 * label, returns its position in the group, such as `#2`.
 */
export function nameOf({ labels: [label = ''], state, widget }: Button, buttons: readonly Button[]): string {
  const isShared = buttons.some(other => other.labels[0] === label && other.state !== state)
  return isShared ? `#${buttons.findIndex(button => button.widget === widget) + 1}` : label
}

/** Returns the name of a button's on state from its appearances. The other state is `Off` (ISO 32000-2, 12.7.5.2.3). */
function findDrawnState(document: PdfDocument, widget: PDFRef): PDFName | undefined {
  const dict = document.peekDict(widget)
  const normal = document.peek(document.peekDict(dict?.get(Name.AP))?.get(Name.N))
  if (!(normal instanceof PDFDict)) return undefined
  const states = normal
    .entries()
    .flatMap(([name, value]) => (name !== OFF && document.peek(value) instanceof PDFStream ? [name] : []))
  const current = document.peek(dict?.get(Name.AS))
  return states.find(state => state === current) ?? states[0]
}

/** Returns the on state of a button without a normal appearance, from other entries of the file. */
function findOtherState(document: PdfDocument, widget: PDFRef): PDFName | undefined {
  const dict = document.peekDict(widget)
  const down = document.peek(document.peekDict(dict?.get(Name.AP))?.get(Name.D))
  const names: (PDFObject | undefined)[] = [
    ...(down instanceof PDFDict ? down.keys() : []),
    document.peek(dict?.get(Name.AS)),
    document.peek(dict?.get(Name.V)),
  ]
  return names.find(name => name instanceof PDFName && name !== OFF) as PDFName | undefined // `find` matched only names.
}

/** Returns whether a button is on, according to its appearance state or, if that is missing, the value of the field. */
export function isOn(document: PdfDocument, field: FormField, { widget, state }: Button): boolean {
  const appearanceState = document.peek(document.peekDict(widget)?.get(Name.AS))
  return (appearanceState instanceof PDFName ? appearanceState : findInherited(document, [field.ref], Name.V)) === state
}
