import { TextlintKernel, type TextlintKernelOptions } from '@textlint/kernel'
import markdown from '@textlint/textlint-plugin-markdown'
import terminology from 'textlint-rule-terminology'
import { TERMS } from './terms'

const MAX_WORDS = 20

const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' })
const CODE = 'Code'
/** A list of names in code, which is as easy to read as one word. */
const CODE_LIST = new RegExp(`${CODE}(?:(?:, (?:and |or )?| and | or )${CODE})+`, 'g')

/** A node of a Markdown document's tree. */
interface Node {
  type: string
  value?: string
  children?: Node[]
}

interface RuleContext {
  report(node: Node, error: unknown): void
  getSource(node: Node): string
  RuleError: new (message: string) => unknown
}

/** A rule of textlint against long sentences and semicolons. */
function checkSentences({ report, RuleError }: RuleContext) {
  const check = (node: Node) => {
    for (const problem of findSentenceProblems(readText(node))) report(node, new RuleError(problem))
  }
  return { Paragraph: check, Header: check, TableCell: check }
}

function findSentenceProblems(text: string): string[] {
  // The segmenter expects a capital letter after a period. A middle dot separates the entries of a list.
  const parts = text.replaceAll(CODE_LIST, CODE).split(/ · |(?<=[.!?]) (?=\d)/)
  const sentences = parts.flatMap(part => [...SENTENCES.segment(part)].map(({ segment }) => segment.trim()))
  return sentences.flatMap(sentence => {
    const wordCount = sentence.split(/\s+/).filter(word => /[\p{L}\p{N}]/u.test(word)).length
    return [
      ...(wordCount > MAX_WORDS ? [`a sentence of ${wordCount} words, at most ${MAX_WORDS}: ${sentence}`] : []),
      ...(/;(?:\s|$)/.test(sentence) ? [`a semicolon: ${sentence}`] : []),
      ...(/^Whether\b/.test(sentence) ? [`begins with "Whether": ${sentence}`] : []),
    ]
  })
}

/** Returns the text of a node. Code counts as one word. */
function readText({ type, value = '', children }: Node): string {
  if (type === 'Code') return CODE
  if (type === 'Break') return ' '
  return children ? children.map(readText).join('') : value
}

/** Found in every text with a word to avoid. The rule for them tries one expression after the other, which is slow. */
const ANY_TERM = new RegExp(TERMS.map(([pattern]) => `(?:${pattern})`).join('|'), 'im')

/** The rule for words to avoid, for the few texts that may have one. */
function checkTerms(context: RuleContext, options: object) {
  const rule = terminology.linter(context, options)
  return { Str: (node: Node) => (ANY_TERM.test(context.getSource(node)) ? rule.Str(node) : undefined) }
}

const OPTIONS = {
  ext: '.md',
  plugins: [{ pluginId: 'markdown', plugin: markdown }],
  rules: [
    { ruleId: 'terms', rule: checkTerms, options: { defaultTerms: false, skip: [], terms: TERMS } },
    { ruleId: 'sentences', rule: checkSentences },
  ],
} as unknown as TextlintKernelOptions

const kernel = new TextlintKernel()

/** Lists what is wrong with the words of a Markdown text. Each problem begins with its line. */
export async function lintWords(text: string): Promise<string[]> {
  const { messages } = await kernel.lintText(text, OPTIONS)
  return messages.map(({ line, message }) => `line ${line}: ${message}`)
}
