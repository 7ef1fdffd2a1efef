import { z } from 'zod'
import { SELECTOR_HELP, selectorFault } from './selectors'

/** The option that names pages; `meaning` says what happens to them. */
export function pagesOption(meaning: string) {
  const text = z.string().superRefine((value, context) => {
    const fault = selectorFault(value)
    if (fault) context.addIssue({ code: 'custom', message: fault })
  })
  const numbers = z.array(z.number().int().min(1).max(1_000_000_000)).min(1).max(20_000)
  return z.union([numbers, text]).describe(`${meaning} ${SELECTOR_HELP}`)
}

/** The download name of the answer, which every tool takes. */
export const outputNameOption = z
  .string()
  .min(1)
  .max(120)
  .optional()
  .describe('File name of the answer, at most 120 characters; the extension is added when it is missing. Default: the name of the input with the name of the operation behind it.')
