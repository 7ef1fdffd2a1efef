import type { Rule } from '../examination/rules'
import { quote } from './values'

/** A marked-content sequence. What it takes from the structure and from the sequences around it is included. */
export interface SequenceSubject extends SequenceTexts {
  tag: string | undefined
  /** The content belongs to a structure element. */
  isTagged: boolean
  /** The sequence or a sequence around it is an artifact. */
  isArtifact: boolean
  /** The sequence, its structure element, what is around them, or the catalog has a language. */
  hasLanguage: boolean
}

/** Texts of the property list of a Span sequence. */
export interface SequenceTexts {
  actualText: string | undefined
  alternate: string | undefined
  expansion: string | undefined
}

/** Rules on marked-content sequences (ISO 14289-1, 7.1 and 7.2). */
export const SEQUENCE_RULES: readonly Rule<SequenceSubject>[] = [
  {
    in: { 'pdfua-1': '7.1-1' },
    message: 'Artifacts must not be inside tagged content.',
    check: ({ tag, isTagged }) => (tag === 'Artifact' && isTagged ? 'an artifact inside tagged content' : undefined),
  },
  {
    in: { 'pdfua-1': '7.1-2' },
    message: 'Tagged content must not be inside artifacts.',
    check: ({ tag, isTagged, isArtifact }) =>
      isTagged && isArtifact ? `tagged ${tag ?? 'content'} inside an artifact` : undefined,
  },
  textRule('7.2-30', 'ActualText', 'Replacement text of a Span sequence must have a language.', 'actualText'),
  textRule('7.2-31', 'Alt', 'The alternate description of a Span sequence must have a language.', 'alternate'),
  textRule('7.2-32', 'E', 'The expansion of an abbreviation in a Span sequence must have a language.', 'expansion'),
]

function textRule(
  id: '7.2-30' | '7.2-31' | '7.2-32',
  key: string,
  message: string,
  part: keyof SequenceTexts,
): Rule<SequenceSubject> {
  return {
    in: { 'pdfua-1': id },
    message,
    check(sequence) {
      const text = sequence[part]
      return sequence.tag === 'Span' && text !== undefined && !sequence.hasLanguage
        ? `/${key} ${quote(text)}`
        : undefined
    },
  }
}

/** An operator that draws: text, a path, a shading or an image. */
export interface DrawingSubject {
  kind: DrawingKind
  isTagged: boolean
  isArtifact: boolean
  hasLanguage: boolean
}

export type DrawingKind = 'text' | 'path' | 'shading' | 'image'

/** Rules on all content that is drawn (ISO 14289-1, 7.1). */
export const DRAWING_RULES: readonly Rule<DrawingSubject>[] = [
  {
    in: { 'pdfua-1': '7.1-3' },
    message: 'All content must be tagged or marked as an artifact.',
    check: ({ kind, isTagged, isArtifact }) =>
      isTagged || isArtifact ? undefined : `${kind} that is neither tagged nor an artifact`,
  },
  {
    in: { 'pdfua-1': '7.2-34' },
    message: 'Text must have a language: from the catalog, its structure element or its marked content.',
    check: ({ kind, hasLanguage }) => (kind === 'text' && !hasLanguage ? 'text without a language' : undefined),
  },
]

/** Rules on form XObjects with marked content of their own (ISO 14289-1, 7.20). */
export const FORM_USE_RULES: readonly Rule<{ uses: number }>[] = [
  {
    in: { 'pdfua-1': '7.20-2' },
    message: 'A form XObject whose content belongs to structure elements must be drawn only once.',
    check: ({ uses }) => (uses > 1 ? 'drawn more than once' : undefined),
  },
]
