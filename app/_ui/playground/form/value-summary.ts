import { type Field, findChoice, isJsonObject, type Json, type FieldShape } from './field-shapes'

const MOST_PARTS = 5
const MOST_CHARACTERS = 40

/** Returns a value in one line, such as "Page 1 · Width 200". Empty if it has no content. */
export function summarize(shape: FieldShape, value: Json | undefined): string {
  if (value === undefined || value === '') return ''
  switch (shape.kind) {
    case 'object':
      return isJsonObject(value)
        ? shape.fields
            .map(field => summarizeField(field, value[field.name]))
            .filter(part => part !== '')
            .slice(0, MOST_PARTS)
            .join(' · ')
        : ''
    case 'union': {
      const choice = shape.choices[findChoice(shape.choices, value)]
      return choice ? summarize(choice.shape, value) : ''
    }
    case 'choice':
      return shape.choices.find(one => one.value === value)?.label ?? ''
    case 'file':
      return isJsonObject(value) && typeof value['name'] === 'string' ? value['name'] : ''
    case 'map':
      return isJsonObject(value) ? Object.keys(value).join(', ').slice(0, MOST_CHARACTERS) : ''
    case 'list':
    case 'choices':
      return Array.isArray(value) ? (value.length === 1 ? '1 entry' : `${value.length} entries`) : ''
    default:
      return shorten(typeof value === 'string' ? value : JSON.stringify(value).replace(/^\[|\]$/g, ''))
  }
}

/** A text speaks for itself. Any other value follows its label. */
function summarizeField({ label, shape }: Field, value: Json | undefined): string {
  if (shape.kind === 'switch') return value === true ? label : ''
  const text = summarize(shape, value)
  return text === '' || shape.kind === 'text' || shape.kind === 'file' ? text : `${label} ${text}`
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line
}
