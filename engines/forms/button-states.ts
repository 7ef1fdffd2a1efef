import { PDFArray, PDFDict, PDFName, PDFStream } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../pdf-core/document/document'
import { readText } from '../pdf-core/syntax/text-string'
import { decodeName, findInherited } from './form-field'
import type { FormField } from './form-field'
import * as Name from '../pdf-core/syntax/names'

/** The state of a button that is not on (ISO 32000-2, 12.7.5.2.3). */
export const OFF = Name.Off

/** One button of a check box or a radio group. */
export interface Button {
  widget: PDFRef
  /** The name that /V and /AS have when it is on; made up where the file has none. */
  state: PDFName
  /** What people may call it: the state, the export value, the tip. */
  words: string[]
  /** Whether the file draws it when it is on. */
  isDrawn: boolean
}

/** The buttons of a check box or a radio group, in the order of its widgets. */
export function buttonsOf(document: PdfDocument, field: FormField): Button[] {
  const options = findInherited(document, [field.ref], Name.Opt)
  const exported = options instanceof PDFArray ? options.asArray().map(item => readText(document.peek(item))) : []
  const isGroup = field.kind === 'radio' || field.widgets.length > 1
  return field.widgets.map((widget, index) => {
    const drawn = drawnStateOf(document, widget)
    const state =
      drawn ??
      statedBy(document, widget) ??
      PDFName.of(field.kind === 'radio' && isGroup ? `Choice${index + 1}` : 'Yes')
    const tip =
      field.kind === 'radio' && widget !== field.ref
        ? readText(document.peek(document.peekDict(widget)?.get(Name.TU)))
        : undefined
    const words = [exported[index], decodeName(state), tip].flatMap(word => word || [])
    return { widget, state, words: [...new Set(words)], isDrawn: drawn !== undefined }
  })
}

/** The name of a button's appearance when it is on; `Off` is the other one (ISO 32000-2, 12.7.5.2.3). */
function drawnStateOf(document: PdfDocument, widget: PDFRef): PDFName | undefined {
  const dict = document.peekDict(widget)
  const normal = document.peek(document.peekDict(dict?.get(Name.AP))?.get(Name.N))
  if (!(normal instanceof PDFDict)) return undefined
  const states = normal
    .entries()
    .flatMap(([name, value]) => (name !== OFF && document.peek(value) instanceof PDFStream ? [name] : []))
  const current = document.peek(dict?.get(Name.AS))
  return states.find(state => state === current) ?? states[0]
}

/** The name of a button that has no appearance, as the file has it elsewhere. */
function statedBy(document: PdfDocument, widget: PDFRef): PDFName | undefined {
  const dict = document.peekDict(widget)
  const down = document.peek(document.peekDict(dict?.get(Name.AP))?.get(Name.D))
  const names: (PDFObject | undefined)[] = [
    ...(down instanceof PDFDict ? down.keys() : []),
    document.peek(dict?.get(Name.AS)),
    document.peek(dict?.get(Name.V)),
  ]
  return names.find(name => name instanceof PDFName && name !== OFF) as PDFName | undefined // what was found is one
}

/** Whether a button shows that it is on: by its own state, or where that is missing by the field's value. */
export function isOn(document: PdfDocument, field: FormField, { widget, state }: Button): boolean {
  const own = document.peek(document.peekDict(widget)?.get(Name.AS))
  return (own instanceof PDFName ? own : findInherited(document, [field.ref], Name.V)) === state
}
