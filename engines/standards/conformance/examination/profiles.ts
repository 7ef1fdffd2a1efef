/** The standards that a file can conform to. Levels of one part share its rules. */
export type Family = 'pdfa-1' | 'pdfa-2' | 'pdfa-3' | 'pdfua-1'

/** A profile: a part of PDF/A (ISO 19005) with its level, or PDF/UA-1 (ISO 14289-1). */
export interface Profile {
  family: Family
  /** The level of PDF/A. `u` adds Unicode for all text to `b`. */
  level?: 'b' | 'u'
  title: string
}

/** All profiles by ID. */
export const PROFILES = {
  'pdfa-1b': { family: 'pdfa-1', level: 'b', title: 'PDF/A-1b' },
  'pdfa-2b': { family: 'pdfa-2', level: 'b', title: 'PDF/A-2b' },
  'pdfa-2u': { family: 'pdfa-2', level: 'u', title: 'PDF/A-2u' },
  'pdfa-3b': { family: 'pdfa-3', level: 'b', title: 'PDF/A-3b' },
  'pdfa-3u': { family: 'pdfa-3', level: 'u', title: 'PDF/A-3u' },
  'pdfua-1': { family: 'pdfua-1', title: 'PDF/UA-1' },
} as const satisfies Record<string, Profile>

export type ProfileId = keyof typeof PROFILES
