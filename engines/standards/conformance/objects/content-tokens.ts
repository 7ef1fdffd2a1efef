import { ARRAY, DICTIONARY, HEX, LITERAL, MAX_OPERANDS, NAME, NUMBER } from '../../../pdf/syntax'
import type { Operands } from '../../../pdf/syntax'
import type { ContentVisitor, StreamWalk } from '../../../pdf/walk-content'
import type { Examination } from '../examination/examination'
import type { Location } from '../examination/report'
import { NUMBER_RULES } from './limit-rules'
import { TokenReader } from './object-tokens'
import type { Part } from './part'
import { TokenRules, leaveTokensUndecided } from './token-rules'

/** Checks the operands in content streams against the same rules as values of objects. */
export class ContentTokens implements Part {
  readonly listener: ContentVisitor | undefined
  private readonly rules: TokenRules
  private readonly reader: TokenReader
  private location: Location = {}

  constructor(private readonly examination: Examination) {
    this.rules = new TokenRules(examination, () => this.location)
    this.reader = new TokenReader(this.rules)
    this.listener = examination.has(NUMBER_RULES) ? { operator: walk => this.readOperator(walk) } : undefined
  }

  leaveUndecided(): void {
    leaveTokensUndecided(this.examination)
  }

  private readOperator({ reader, location }: StreamWalk): void {
    const { operands, items, bytes } = reader
    if (operands.count === 0) return
    this.location = location
    this.check(bytes, operands)
    const last = operands.count - 1
    // Only the items of the last array are known.
    for (let index = 0; index <= last; index++) {
      if (operands.kinds[index] !== ARRAY) continue
      if (index === last && items.count < MAX_OPERANDS) {
        this.check(bytes, items)
        if (items.count > 0) this.rules.array(items.count)
      } else this.reader.read(bytes, operands.starts[index] ?? 0, operands.ends[index] ?? 0)
    }
  }

  private check(bytes: Uint8Array, { count, kinds, starts, ends }: Operands): void {
    const { rules } = this
    for (let index = 0; index < count; index++) {
      const start = starts[index] ?? 0
      const end = ends[index] ?? 0
      const kind = kinds[index]
      if (kind === NUMBER) rules.number(bytes, start, end)
      else if (kind === NAME) rules.name(bytes, start + 1, end)
      else if (kind === LITERAL || kind === HEX) rules.string(bytes, start, end, kind === HEX)
      else if (kind === DICTIONARY) this.reader.read(bytes, start, end)
    }
  }
}
