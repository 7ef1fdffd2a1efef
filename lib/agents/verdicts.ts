/** What a report found. */
export interface Verdict {
  /** A sentence without a period. */
  text: string
  /** Whether the report found nothing wrong. */
  isGood: boolean
}

/** A response to read the verdict from. */
interface Response {
  header(name: string): string | undefined
  /** Reads the value of a JSON response. Only called for endpoints whose verdict needs it. */
  report(): unknown
}

interface ValidationReport {
  profile: string
  conforms: boolean | null
  failures: unknown[]
  undecided: unknown[]
}

const VERDICTS: Readonly<Record<string, (response: Response) => Verdict | undefined>> = {
  'compare-pdfs'({ header }) {
    const changes = Number(header('x-changes'))
    const isComplete = !header('x-warnings')?.includes('page-not-compared')
    const text = changes === 0 ? 'No changes' : count(changes, 'change')
    return { text: isComplete ? text : `${text}, but not all pages were compared`, isGood: isComplete && changes === 0 }
  },
  'pdf-redaction'({ header }) {
    const isVerified = header('x-redaction-verified') === 'true'
    const text = `Redactions: ${header('x-redactions-applied')}, ${isVerified ? 'verified' : 'not verified'}`
    return { text, isGood: isVerified }
  },
  pipeline({ header }) {
    const verified = header('x-redaction-verified')
    if (verified === undefined) return undefined // No step redacts.
    const isGood = verified === 'true'
    return { text: `Redaction ${isGood ? 'verified' : 'not verified'}`, isGood }
  },
  'read-invoice'({ report }) {
    const { brokenRules, differences } = report() as { brokenRules: unknown[] | null; differences: unknown[] | null }
    const texts = [
      brokenRules === null ? 'No rules were checked' : count(brokenRules.length, 'broken rule'),
      ...(differences === null ? [] : [`${count(differences.length, 'difference')} between the XML and the pages`]),
    ]
    return { text: texts.join(', '), isGood: brokenRules?.length === 0 && (differences?.length ?? 0) === 0 }
  },
  'validate-pdf'({ report }) {
    const found = report()
    const { reports = [found] } = found as { reports?: unknown[] }
    const all = reports as ValidationReport[]
    return { text: all.map(describeReport).join(', '), isGood: all.every(({ conforms }) => conforms === true) }
  },
}

/** IDs of the endpoints whose responses have a verdict. */
export const ENDPOINTS_WITH_VERDICT: readonly string[] = Object.keys(VERDICTS)

/** Reads what a response says about its file. Undefined without a verdict. */
export function readVerdict(id: string, response: Response): Verdict | undefined {
  return VERDICTS[id]?.(response)
}

function describeReport({ profile, conforms, failures, undecided }: ValidationReport): string {
  if (conforms === true) return `${profile} conforms`
  if (conforms === null) return `${profile} undecided (${count(undecided.length, 'rule')})`
  return `${profile} broken (${count(failures.length, 'rule')})`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
