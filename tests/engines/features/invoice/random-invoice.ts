import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { findInvoiceProblems } from '../../../../engines/features/invoice/input/check-invoice'
import { invoiceFields } from '../../../../engines/features/invoice/data/invoice'
import type { Invoice } from '../../../../engines/features/invoice/data/invoice'
import * as bodies from '../../../../lib/docs/electronic-bodies'
import { FULL_INVOICE } from '../../../fixtures/full-invoice'
import { INVOICE_SAMPLES } from '../../../fixtures/invoice-samples'
import { LINES } from '../../../fixtures/scripts'
import type { Random } from '../redaction/search-rules/random'

type Fields = Record<string, unknown>
type Schema = z.core.JSONSchema.BaseSchema

const SCHEMA: Schema = z.toJSONSchema(invoiceFields, { io: 'input' })

/** Valid requests. Random ones differ from them in some fields. */
const BASES: readonly Fields[] = [...Object.values(INVOICE_SAMPLES), FULL_INVOICE, ...Object.values(bodies)]

/** Parts of texts that often break rules: invisible characters, marks, other directions, pictures, long words. */
const HARD = [
  '\ufeff',
  '\u2060',
  'a\u200d\ufe0f',
  '\u202eabc\u202c',
  'e\u0301\u0323',
  '👩‍👩‍👧',
  '🇺🇦',
  'W'.repeat(90),
  '\\()<>%',
  '\u00ad',
]
const PARTS = [...Object.values(LINES), ...HARD]

/** Values of fields whose texts have a form, by the name of the field. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  accentColor: ['#fff', '#123456', '#808080', '#f0c'],
  country: ['DE', 'US', 'FR', 'JP', 'CH'],
  currency: ['EUR', 'CHF', 'JPY', 'KWD', 'USD'],
  iban: ['DE89370400440532013000', 'CH9300762011623852957'],
  link: ['https://example.com/漢?q=(\\)', `https://example.com/${'ö'.repeat(1500)}`],
  locale: ['en', 'de-CH', 'fr', 'ar-EG', 'he', 'ja', 'zh-Hant', 'sl-rozaj-biske-1994', 'en-x-private', 'th'],
  url: ['https://example.com/a'],
}

/** Fields that no rule about other fields depends on. */
const FREE = new Set(['accentColor', 'conformance', 'labels', 'locale', 'notes', 'pageSize', 'template', 'terms'])

/** A valid request with random fields of every kind. `logo` is left out. */
export function makeRandomInvoice(random: Random): Invoice {
  const base = { ...random.pick(BASES), logo: undefined }
  const draft = structuredClone(base) as Fields
  for (const [name, schema] of Object.entries(SCHEMA.properties ?? {})) {
    if (random.next() > 0.5 || name === 'logo' || name === 'totals') continue
    draft[name] = random.next() < 0.2 ? undefined : makeValue(schema as Schema, name, random)
  }
  for (;;) {
    const { data, error } = invoiceFields.safeParse(draft)
    const paths = data
      ? findInvoiceProblems(data).map(({ param }) => param?.match(/[^.[\]]+/g))
      : error.issues.map(({ path }) => path.map(String))
    if (data && paths.length === 0) return data
    for (const path of paths) restore(draft, base, path ?? [])
  }
}

/** Gives a part of a draft the value of the base, or the closest part around it that differs. */
function restore(draft: Fields, base: Fields, path: readonly string[]): void {
  for (let length = path.length; length > 0; length--) {
    const parents = path.slice(0, length - 1)
    const name = path[length - 1] ?? ''
    const [one, other] = [draft, base].map(
      fields =>
        parents.reduce((value: unknown, key) => (value as Fields | undefined)?.[key], fields) as Fields | undefined,
    )
    if (!one || isDeepStrictEqual(one[name], other?.[name])) continue
    if (other && !Array.isArray(one)) one[name] = other[name]
    else if (!Array.isArray(one)) delete one[name]
    else continue
    return
  }
  for (const name of Object.keys(draft)) if (!FREE.has(name)) draft[name] = base[name]
}

function makeValue(schema: Schema, name: string, random: Random): unknown {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return makeValue(random.pick<Schema>(choices), name, random)
  if (schema.enum) return random.pick(schema.enum)
  if (schema.const !== undefined) return schema.const
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).flatMap(([key, value]) =>
          schema.required?.includes(key) || random.next() < 0.3 ? [[key, makeValue(value as Schema, key, random)]] : [],
        ),
      )
    case 'array': {
      const most = name === 'items' && random.next() < 0.2 ? 60 : 3
      return Array.from({ length: random.whole(1, Math.min(most, schema.maxItems ?? most)) }, () =>
        makeValue(schema.items as Schema, '', random),
      )
    }
    case 'boolean':
      return random.next() < 0.5
    case 'integer':
    case 'number':
      return schema.maximum === 1
        ? random.pick([0, 0.07, 0.19, 0.2, 1])
        : random.pick([0, 1, 2.5, 19.99, 1234.567, -3, 99_999_999])
    default:
      return makeText(schema, name, random)
  }
}

function makeText({ format, maxLength = 100 }: Schema, name: string, random: Random): string {
  if (format === 'date') return `2026-${random.pick(['01', '11'])}-${random.pick(['02', '28'])}`
  const form = FORMS[name]
  if (form) return random.pick(form)
  const parts = Array.from({ length: random.next() < 0.05 ? 60 : random.whole(1, 4) }, () => random.pick(PARTS))
  return parts.join(' ').slice(0, maxLength).toWellFormed().replaceAll('\ufffd', '')
}
