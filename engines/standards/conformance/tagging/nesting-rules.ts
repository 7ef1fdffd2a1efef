import type { Rule, RuleId } from '../examination/rules'

/** The standard types around an element. Grouping elements are looked through. Unknown types are left out. */
export interface NestingSubject {
  standardType: string
  parent: string
  kids: readonly string[]
}

/**
 * Which elements tables, lists and tables of contents may contain, and where their parts may be (ISO 14289-1, 7.2, with
 * ISO 32000-1, 14.8.4).
 */
export const NESTING_RULES: ReadonlyMap<string, readonly Rule<NestingSubject>[]> = new Map([
  [
    'Table',
    [
      kidsRule('7.2-3', 'A table may contain only TR, THead, TBody, TFoot and Caption.', [
        'TR',
        'THead',
        'TBody',
        'TFoot',
        'Caption',
      ]),
      countRule('7.2-11', 'A table may have only one THead.', 'THead'),
      countRule('7.2-12', 'A table may have only one TFoot.', 'TFoot'),
      bodyRule('7.2-13', 'A table with TFoot must have a TBody.', 'TFoot'),
      bodyRule('7.2-14', 'A table with THead must have a TBody.', 'THead'),
      captionRule('7.2-16', 'The caption of a table must be its first or its last kid.', kids => kids.slice(1, -1)),
      countRule('7.2-39', 'A table may have only one caption.', 'Caption'),
    ],
  ],
  [
    'TR',
    [
      parentRule('7.2-4', 'A table row must be in Table, THead, TBody or TFoot.', ['Table', 'THead', 'TBody', 'TFoot']),
      kidsRule('7.2-10', 'A table row may contain only TH and TD.', ['TH', 'TD']),
    ],
  ],
  ['THead', groupRules('THead', '7.2-5', '7.2-36')],
  ['TBody', groupRules('TBody', '7.2-6', '7.2-37')],
  ['TFoot', groupRules('TFoot', '7.2-7', '7.2-38')],
  ['TH', [parentRule('7.2-8', 'A table header cell must be in a TR.', ['TR'])]],
  ['TD', [parentRule('7.2-9', 'A table data cell must be in a TR.', ['TR'])]],
  [
    'L',
    [
      kidsRule('7.2-19', 'A list may contain only L, LI and Caption.', ['L', 'LI', 'Caption']),
      captionRule('7.2-40', 'The caption of a list must be its first kid.', kids => kids.slice(1)),
    ],
  ],
  [
    'LI',
    [
      parentRule('7.2-17', 'A list item must be in a list.', ['L']),
      kidsRule('7.2-20', 'A list item may contain only Lbl and LBody.', ['Lbl', 'LBody']),
    ],
  ],
  ['LBody', [parentRule('7.2-18', 'The body of a list item must be in a list item.', ['LI'])]],
  [
    'TOC',
    [
      kidsRule('7.2-27', 'A table of contents may contain only TOC, TOCI and Caption.', ['TOC', 'TOCI', 'Caption']),
      captionRule('7.2-28', 'The caption of a table of contents must be its first kid.', kids => kids.slice(1)),
    ],
  ],
  ['TOCI', [parentRule('7.2-26', 'An item of a table of contents must be in a TOC.', ['TOC'])]],
])

function groupRules(type: string, parentId: RuleId, kidsId: RuleId): Rule<NestingSubject>[] {
  return [
    parentRule(parentId, `${type} must be in a table.`, ['Table']),
    kidsRule(kidsId, `${type} may contain only TR.`, ['TR']),
  ]
}

function parentRule(id: RuleId, message: string, allowed: readonly string[]): Rule<NestingSubject> {
  return {
    in: { 'pdfua-1': id },
    message,
    check: ({ standardType, parent }) =>
      allowed.includes(parent) ? undefined : `${standardType} in ${parent || 'an element of unknown type'}`,
  }
}

function kidsRule(id: RuleId, message: string, allowed: readonly string[]): Rule<NestingSubject> {
  return {
    in: { 'pdfua-1': id },
    message,
    check({ standardType, kids }) {
      const wrong = kids.find(kid => !allowed.includes(kid))
      return wrong === undefined ? undefined : `${wrong} in ${standardType}`
    },
  }
}

function countRule(id: RuleId, message: string, type: string): Rule<NestingSubject> {
  return {
    in: { 'pdfua-1': id },
    message,
    check({ kids }) {
      const count = kids.filter(kid => kid === type).length
      return count > 1 ? `${count} kids of type ${type}` : undefined
    },
  }
}

function bodyRule(id: RuleId, message: string, type: string): Rule<NestingSubject> {
  return {
    in: { 'pdfua-1': id },
    message,
    check: ({ kids }) => (kids.includes(type) && !kids.includes('TBody') ? `${type} without TBody` : undefined),
  }
}

function captionRule(
  id: RuleId,
  message: string,
  rest: (kids: readonly string[]) => readonly string[],
): Rule<NestingSubject> {
  return {
    in: { 'pdfua-1': id },
    message,
    check: ({ kids }) => (rest(kids).includes('Caption') ? 'Caption between other kids' : undefined),
  }
}
