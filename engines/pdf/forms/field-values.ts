import type { PDFName } from 'pdf-lib'
import { isEngineError } from '../../errors'
import type { PdfDocument } from '../document/document'
import type { Typesetter } from '../text/typesetter'
import { OFF, buttonsOf, nameOf } from './button-states'
import type { Button } from './button-states'
import { quote } from './field-names'
import { FLAG, choicesOf, maxLengthOf } from './form-field'
import type { Choice, FormField } from './form-field'

/** A value that a request can set on a field. */
export type FieldValue = string | number | boolean | null | (string | number)[]

/** A validated value of a field. */
export type Setting =
  | { kind: 'text'; text: string }
  /** `indexes` are the sorted indexes of the selected options. */
  | { kind: 'choice'; values: string[]; indexes: number[] }
  /** The buttons that are on. All have the same state. */
  | { kind: 'buttons'; state: PDFName; on: Button[] }

/** The validated value, or the problem with it. */
export type ParsedValue = { setting: Setting } | { problem: string }

/** Maximum number of options in a message. */
const MAX_LISTED = 20

/** Returns the empty value of a field. Undefined for push buttons and signatures, which have no value of this kind. */
export function emptySetting(field: FormField): Setting | undefined {
  if (field.kind === 'text') return { kind: 'text', text: '' }
  if (field.kind === 'dropdown' || field.kind === 'list') return { kind: 'choice', values: [], indexes: [] }
  return field.kind === 'checkbox' || field.kind === 'radio' ? { kind: 'buttons', state: OFF, on: [] } : undefined
}

/** Validates a value for the type of a field. `param` is the parameter in errors about characters that no font has. */
export function readValue(
  document: PdfDocument,
  field: FormField,
  { value, param, typesetter }: { value: FieldValue; param: string; typesetter: Typesetter },
): ParsedValue {
  const empty = emptySetting(field)
  if (!empty) return { problem: refuseKind(field) }
  if (value === null) return { setting: empty }
  switch (field.kind) {
    case 'text':
      return readTextValue(document, field, { value, param, typesetter })
    case 'dropdown':
    case 'list':
      return readChoice(document, field, { value, param, typesetter })
    default:
      return Array.isArray(value)
        ? { problem: `must be a single value, not an array. Use ${describeButtons(document, field)}.` }
        : readButton(document, field, value)
  }
}

function refuseKind({ kind }: FormField): string {
  if (kind === 'signature') return "is a signature field and can't be filled. Remove it."
  if (kind === 'button') return 'is a push button and has no value. Remove it.'
  return "has an unknown field type and can't be filled. Remove it."
}

interface ValueSource {
  value: FieldValue
  param: string
  typesetter: Typesetter
}

function readTextValue(
  document: PdfDocument,
  field: FormField,
  { value, param, typesetter }: ValueSource,
): ParsedValue {
  if (typeof value === 'boolean') return { problem: `must be a string or a number for a text field. Got ${value}.` }
  if (Array.isArray(value)) return { problem: 'must be a string or a number for a text field. Got an array.' }
  const text = String(value)
  const length = Array.from(text).length
  const maxLength = maxLengthOf(document, field)
  if (maxLength !== undefined && length > maxLength)
    return { problem: `must be at most ${maxLength} characters. Got ${quote(text)}, which has ${length}.` }
  if (text.includes('\n') && !(field.flags & FLAG.multiline))
    return { problem: `must be a single line in this field. Got ${quote(text)}.` }
  const missing = findMissingGlyphs(text, param, typesetter)
  return missing === undefined ? { setting: { kind: 'text', text } } : { problem: missing }
}

/** Returns the error of the typesetter for characters that no font has. */
function findMissingGlyphs(text: string, param: string, typesetter: Typesetter): string | undefined {
  try {
    typesetter.shape(text.replaceAll('\n', ' '), {}, param)
    return undefined
  } catch (error) {
    if (!isEngineError(error)) throw error
    return error.message.replace(`${param}: `, '')
  }
}

function readChoice(document: PdfDocument, field: FormField, { value, param, typesetter }: ValueSource): ParsedValue {
  const choices = choicesOf(document, field)
  if (typeof value === 'boolean' || value === null)
    return { problem: `must be an option of this field. Got ${value}. ${describeChoices(field, choices)}.` }
  if (Array.isArray(value) && field.kind === 'dropdown')
    return { problem: `must be a single value, not an array. ${describeChoices(field, choices)}.` }
  const texts = [...new Set((Array.isArray(value) ? value : [value]).map(String))]
  if (texts.length === 1 && texts[0] === '' && findChoice(choices, '') < 0)
    return { setting: { kind: 'choice', values: [], indexes: [] } }
  if (texts.length > 1 && !(field.flags & FLAG.multiSelect))
    return { problem: `must be a single value in this list. Got ${texts.length} values.` }
  const optionIndexes = texts.map(text => findChoice(choices, text))
  const invalidTexts = texts.filter((_, index) => (optionIndexes[index] ?? -1) < 0)
  if (invalidTexts.length === 0) {
    const indexes = [...new Set(optionIndexes)].sort((first, second) => first - second)
    return { setting: { kind: 'choice', values: indexes.map(index => choices[index]?.value ?? ''), indexes } }
  }
  const isFree = field.kind === 'dropdown' && (field.flags & FLAG.edit) !== 0
  if (!isFree)
    return {
      problem:
        `must be options of this field. Got ${invalidTexts.slice(0, MAX_LISTED).map(quote).join(', ')}. ` +
        `${describeChoices(field, choices)}.`,
    }
  const [text = ''] = texts
  if (text.includes('\n')) return { problem: `must be a single line in this field. Got ${quote(text)}.` }
  const missing = findMissingGlyphs(text, param, typesetter)
  return missing === undefined ? { setting: { kind: 'choice', values: [text], indexes: [] } } : { problem: missing }
}

/** Returns the index of the option with this value, otherwise with this label. −1 if there is none. */
function findChoice(choices: readonly Choice[], text: string): number {
  const byValue = choices.findIndex(choice => choice.value === text)
  return byValue >= 0 ? byValue : choices.findIndex(choice => choice.label === text)
}

function describeChoices(field: FormField, choices: readonly Choice[]): string {
  if (choices.length === 0) return `This ${field.kind} has no options`
  const words = choices.map(({ value, label }) =>
    value === label ? quote(value) : `${quote(value)} (${quote(label)})`,
  )
  return `Use ${listWords(words)}`
}

function readButton(document: PdfDocument, field: FormField, value: string | number | boolean | null): ParsedValue {
  const buttons = buttonsOf(document, field)
  if (value === false || value === null || value === 'Off') return { setting: { kind: 'buttons', state: OFF, on: [] } }
  const states = new Set(buttons.map(button => button.state))
  const [first] = buttons
  if (!first) return { problem: "has no button on any page and can't be filled." }
  if (value === true && states.size === 1) return { setting: turnOn(field, first, buttons) }
  const text = String(value)
  const found = value === true ? [] : findButtons(text, buttons)
  const [chosen] = found
  if (chosen && found.every(button => button.state === chosen.state)) return { setting: turnOn(field, chosen, buttons) }
  const reason =
    value === true
      ? `true is ambiguous, because the field has ${buttons.length} buttons`
      : chosen
        ? `must name one button. Got ${quote(text)}, which ${found.length} buttons have`
        : `must be a value of this field. Got ${quote(text)}`
  return { problem: `${reason}. Use ${describeButtons(document, field)}.` }
}

/** Finds buttons by one of their labels, or by the position in the group, starting at 1, such as `#2`. */
function findButtons(text: string, buttons: readonly Button[]): Button[] {
  for (const position of [0, 1, 2]) {
    const found = buttons.filter(button => button.labels[position] === text)
    if (found.length > 0) return found
  }
  const index = /^#([1-9]\d{0,5})$/.exec(text)?.[1]
  const button = index === undefined ? undefined : buttons[Number(index) - 1]
  return button ? [button] : []
}

/**
 * Turns a button on. Check boxes with the same state are on together. Radio buttons are on together only with the
 * RadiosInUnison flag (ISO 32000-2, table 229).
 */
function turnOn(field: FormField, chosen: Button, buttons: readonly Button[]): Setting {
  const areLinked = field.kind === 'checkbox' || (field.flags & FLAG.inUnison) !== 0
  const on = areLinked ? buttons.filter(button => button.state === chosen.state) : [chosen]
  return { kind: 'buttons', state: chosen.state, on }
}

function describeButtons(document: PdfDocument, field: FormField): string {
  const buttons = buttonsOf(document, field)
  const words = [...new Set(buttons.map(button => quote(nameOf(button, buttons))))]
  if (field.kind === 'checkbox')
    return `${new Set(buttons.map(button => button.state)).size === 1 ? 'true, ' : ''}false or ${listWords(words)}`
  return `${listWords(words)}, or "#1" to "#${buttons.length}" by position. Use false to clear the field`
}

function listWords(words: readonly string[]): string {
  if (words.length > MAX_LISTED)
    return `${words.slice(0, MAX_LISTED).join(', ')} or one of ${(words.length - MAX_LISTED).toLocaleString('en')} more`
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
