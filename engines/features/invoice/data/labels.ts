import * as z from 'zod'
import { lineField } from './fields'
import { LABELS } from './label-texts'
import type { LabelName } from './label-texts'

/** Invoice labels in one language. */
export type Labels = Readonly<Record<LabelName, string>>

const ENGLISH = LABELS.en
const NAMES = Object.keys(ENGLISH) as LabelName[] // The keys of the literal are the names of its type.

/** The texts of the labels in all languages. */
export const STANDARD_LABELS: ReadonlySet<string> = new Set(
  Object.values(LABELS).flatMap(labels => Object.values(labels)),
)

/** Maximum length of a label. */
const MAX_LABEL = 100

const fields = Object.fromEntries(
  NAMES.map(name => [name, lineField(`Default in English: “${ENGLISH[name]}”.`, MAX_LABEL).optional()]),
) as Record<LabelName, z.ZodOptional<ReturnType<typeof lineField>>> // The object has an entry for each name.

/** Custom labels that replace those of the language. */
export const labelFields = z
  .object(fields)
  .describe(
    'Your own labels in place of the default labels, such as `{"tax": "VAT"}`. In `page`, Sheaf replaces `{page}` ' +
      'and `{pages}` with numbers.',
  )

const TRADITIONAL = new Set(['Hant'])

/** Returns the labels of a language, overridden by custom labels. English is the default for unsupported languages. */
export function resolveLabels(
  locale: string,
  customLabels: Partial<Record<LabelName, string | undefined>> = {},
): Labels {
  const labels: Record<LabelName, string> = { ...findLanguage(locale) }
  for (const name of NAMES) labels[name] = customLabels[name] ?? labels[name]
  return labels
}

function findLanguage(locale: string): Labels {
  const { language, script = '' } = new Intl.Locale(locale).maximize()
  if (language === 'zh' && TRADITIONAL.has(script)) return LABELS['zh-Hant']
  return Object.hasOwn(LABELS, language) ? LABELS[language as keyof typeof LABELS] : ENGLISH // `hasOwn` checked the key.
}

const RIGHT_TO_LEFT = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm', 'Rohg'])

/** Returns whether invoices in a language run from right to left. */
export function isRightToLeft(locale: string): boolean {
  return RIGHT_TO_LEFT.has(new Intl.Locale(locale).maximize().script ?? '')
}
