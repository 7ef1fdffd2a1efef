export interface Mutant {
  file: string
  line: number
  /** The part of the file that `after` replaces. */
  start: number
  end: number
  before: string
  after: string
}

export declare function listMutants(file: string, source: string): Mutant[]
