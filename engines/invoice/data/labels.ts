import { z } from 'zod'
import { lineField } from './fields'
import { LABELS } from './label-texts'
import type { LabelName } from './label-texts'

/** The words of an invoice in one language. */
export type Labels = Readonly<Record<LabelName, string>>

const ENGLISH = LABELS.en
const NAMES = Object.keys(ENGLISH) as LabelName[] // the keys of an object literal are what its type says

/** Characters of a label. */
const MAX_LABEL = 100

const fields = Object.fromEntries(
  NAMES.map(name => [name, lineField(`In English “${ENGLISH[name]}”.`, MAX_LABEL).optional()]),
) as Record<LabelName, z.ZodOptional<ReturnType<typeof lineField>>> // one for every name

/** Words in place of those of the language. */
export const labelFields = z
  .object(fields)
  .describe(
    'Words in place of those of the language, such as `{"tax": "VAT"}`; `{page}` and `{pages}` stand for numbers ' +
      'in `page`.',
  )

const TRADITIONAL = new Set(['Hant'])

/** The words for a language, with those in place that were sent. English where the language is not known. */
export function resolveLabels(locale: string, given: Partial<Record<LabelName, string | undefined>> = {}): Labels {
  const labels: Record<LabelName, string> = { ...findLanguage(locale) }
  for (const name of NAMES) labels[name] = given[name] ?? labels[name]
  return labels
}

function findLanguage(locale: string): Labels {
  const { language, script = '' } = new Intl.Locale(locale).maximize()
  if (language === 'zh' && TRADITIONAL.has(script)) return LABELS['zh-Hant']
  return Object.hasOwn(LABELS, language) ? LABELS[language as keyof typeof LABELS] : ENGLISH // an own key
}

const RIGHT_TO_LEFT = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm', 'Rohg'])

/** Whether an invoice in that language runs from right to left. */
export function isRightToLeft(locale: string): boolean {
  return RIGHT_TO_LEFT.has(new Intl.Locale(locale).maximize().script ?? '')
}
