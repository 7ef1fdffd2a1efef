import type { FormHints } from '../../../engines/options/form-hints'
import type { Choice } from '../../_ui/playground/form/field-shapes'

/** Words that aren't written in small letters. */
const SPELLED = new Map(
  ['API', 'BIC', 'CSS', 'DPI', 'HTML', 'HTTP', 'HTTPS', 'IBAN', 'ID', 'OCR', 'PDF', 'QR', 'SKU', 'URL', 'XFA'].map(
    word => [word.toLowerCase(), word] as const,
  ),
)

/** Returns a name in words: "Font size" for `fontSize`, "Top left" for `top-left`, "Base URL" for `baseUrl`. */
export function nameInWords(name: string): string {
  const words = name
    .replace(/([a-z]\d*)([A-Z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .map(word => SPELLED.get(word.toLowerCase()) ?? (/^[A-Z\d]+$/.test(word) ? word : word.toLowerCase()))
  const [first = '', ...others] = words
  return [first.charAt(0).toUpperCase() + first.slice(1), ...others].join(' ')
}

/** Returns values with their labels. Aliases come last, as in `hints`. */
export function nameChoices(values: readonly Choice['value'][], { choices = {}, aliases = [] }: FormHints): Choice[] {
  return values.map(value => ({
    value,
    label: choices[String(value)] ?? (typeof value === 'string' ? nameInWords(value) : nameOther(value)),
    ...(aliases.includes(String(value)) ? { isAlias: true as const } : {}),
  }))
}

function nameOther(value: number | boolean): string {
  if (typeof value === 'number') return value.toLocaleString('en')
  return value ? 'Yes' : 'No'
}
