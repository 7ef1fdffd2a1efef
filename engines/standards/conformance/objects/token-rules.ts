import { readName } from '../../../pdf/syntax'
import type { Examination } from '../examination/examination'
import type { Location } from '../examination/report'
import { ARRAY_RULES, DICTIONARY_RULES, NAME_RULES, NUMBER_RULES, STRING_RULES, isUnusualString } from './limit-rules'
import { isUnusualNumber, readNumber } from './numbers'
import type { TokenSink } from './object-tokens'

/** Checks tokens against the rules for the written form and the size of values. */
export class TokenRules implements TokenSink {
  constructor(
    private readonly examination: Examination,
    /** Where the tokens are. Only called if one breaks a rule. */
    protected readonly locationOf: () => Location = () => ({}),
  ) {}

  number(bytes: Uint8Array, start: number, end: number): void {
    if (isUnusualNumber(bytes, start, end))
      this.examination.apply(NUMBER_RULES, readNumber(bytes, start, end), this.locationOf())
  }

  name(bytes: Uint8Array, start: number, end: number): void {
    if (end - start > 127) this.examination.apply(NAME_RULES, readName(bytes, start - 1, end), this.locationOf())
  }

  string(bytes: Uint8Array, start: number, end: number, isHex: boolean): void {
    const token = { bytes, start, end, isHex }
    if (isUnusualString(token)) this.examination.apply(STRING_RULES, token, this.locationOf())
  }

  array(size: number): void {
    if (size > 4095) this.examination.apply(ARRAY_RULES, size, this.locationOf())
  }

  dictionary(size: number): void {
    if (size > 4095) this.examination.apply(DICTIONARY_RULES, size, this.locationOf())
  }
}

/** Says that the rules for tokens weren't decided, because some tokens couldn't be read. */
export function leaveTokensUndecided(examination: Examination): void {
  examination.leaveUndecided(NUMBER_RULES)
  examination.leaveUndecided(NAME_RULES)
  examination.leaveUndecided(STRING_RULES)
  examination.leaveUndecided(ARRAY_RULES)
  examination.leaveUndecided(DICTIONARY_RULES)
}
