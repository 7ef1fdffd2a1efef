import * as z from 'zod'
import { inForm } from '../../options/form-hints'

const PROFILES = ['pdfa-3b', 'pdfua-1'] as const
const profile = z.enum(PROFILES)

/** The standards that a request names for its invoice. */
export const conformanceField = z
  .union([
    profile.meta(inForm({ title: 'One standard', choices: { 'pdfa-3b': 'PDF/A-3b', 'pdfua-1': 'PDF/UA-1' } })),
    z
      .array(profile)
      .max(PROFILES.length)
      .meta(inForm({ title: 'Selected standards' })),
  ])
  .optional()
  .describe(
    'Standards that the invoice must conform to: `pdfa-3b` for archives, `pdfua-1` for accessibility, or an array ' +
      'with both. By default, Sheaf makes both claims, and drops one that a rule would break. If you name a standard ' +
      "and the invoice can't conform, the request returns an error with each rule. `[]` makes no claim.",
  )
  .meta(inForm({ label: 'Standards' }))

/** The standards of an invoice, and whether the request named them. */
export function readConformance({ conformance }: { conformance?: z.output<typeof conformanceField> }): {
  profiles: readonly (typeof PROFILES)[number][]
  isRequired: boolean
} {
  if (conformance === undefined) return { profiles: PROFILES, isRequired: false }
  return { profiles: [conformance].flat(), isRequired: true }
}
