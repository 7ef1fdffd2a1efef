import { PDFDict, PDFName } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { isStandardType } from '../../../pdf/tags'
import { findOrAdd } from '../../../map-entries'

/** Maximum number of mappings to follow. A longer chain counts as not mapped. */
const MAX_STEPS = 1000

/** What a structure type means. */
interface Mapping {
  /** The first standard type that the role map leads to, or the type itself if it is standard and not mapped. */
  standardType: string | undefined
  /** The mappings lead back to a type on the way. */
  isCircular: boolean
}

/** The /RoleMap of a structure tree: which standard structure types the types of a document mean. */
export class RoleMap {
  private readonly roles = new Map<string, string>()
  private readonly mappings = new Map<string, Mapping>()
  private readonly remapped = new Map<string, string | undefined>()

  constructor(document: PdfDocument, value: PDFObject | undefined) {
    const dict = document.peek(value)
    if (!(dict instanceof PDFDict)) return
    for (const [key, role] of dict.entries()) {
      const name = document.peekName(role)
      if (name !== undefined) this.roles.set(key.decodeText(), name)
    }
  }

  /** The standard type that a type means. */
  standardTypeOf(type: string | undefined): string | undefined {
    return type === undefined ? undefined : this.mappingOf(type).standardType
  }

  /** Returns whether the mappings from a type lead back to a type on the way. */
  isCircular(type: string): boolean {
    return this.mappingOf(type).isCircular
  }

  /** The standard type that the role map gives another meaning: the type itself, or the type that it means. */
  remappedType(type: string): string | undefined {
    if (!this.remapped.has(type)) this.remapped.set(type, this.findRemapped(type))
    return this.remapped.get(type)
  }

  private findRemapped(type: string): string | undefined {
    const meaning = this.standardTypeOf(type)
    if (isStandard(type)) return meaning === type ? undefined : type
    return meaning === undefined || this.standardTypeOf(meaning) === meaning ? undefined : meaning
  }

  private mappingOf(type: string): Mapping {
    return findOrAdd(this.mappings, type, () => this.follow(type))
  }

  private follow(type: string): Mapping {
    const visited = new Set([type])
    let role = this.roles.get(type)
    let standardType = (role === undefined || role === type) && isStandard(type) ? type : undefined
    while (role !== undefined && !visited.has(role) && visited.size <= MAX_STEPS) {
      if (standardType === undefined && isStandard(role)) standardType = role
      visited.add(role)
      role = this.roles.get(role)
    }
    return { standardType, isCircular: role !== undefined && visited.has(role) }
  }
}

function isStandard(type: string): boolean {
  return isStandardType(PDFName.of(type))
}
