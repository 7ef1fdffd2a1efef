import * as z from 'zod'
import { inForm } from './form-hints'

const PROFILES = ['pdfa-3b', 'pdfua-1'] as const
const profile = z.enum(PROFILES)

/** Standards that a request names for its result: one, or an array. */
export type Conformance = z.output<typeof profile> | z.output<typeof profile>[] | undefined

/** The option with the standards that a document that Sheaf makes must conform to. */
export function conformanceOption(description: string) {
  return z
    .union([
      profile.meta(inForm({ title: 'One standard', choices: { 'pdfa-3b': 'PDF/A-3b', 'pdfua-1': 'PDF/UA-1' } })),
      z
        .array(profile)
        .max(PROFILES.length)
        .meta(inForm({ title: 'Selected standards' })),
    ])
    .optional()
    .describe(description)
    .meta(inForm({ label: 'Standards' }))
}

/** The standards that a request names. Undefined if it doesn't have the option. */
export function readConformance(conformance: Conformance): readonly z.output<typeof profile>[] | undefined {
  return conformance === undefined ? undefined : [...new Set([conformance].flat())]
}
