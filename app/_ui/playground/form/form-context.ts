'use client'

import { createContext, useContext } from 'react'
import type { Shelf } from './applicable-fields'
import type { PlacedProblem } from './field-path'

/** Data for all fields of the form, at any depth. */
export interface FormContext {
  /** Prefix of the IDs of all fields. */
  prefix: string
  problems: readonly PlacedProblem[]
  shelf: Shelf
  /** Names of the request's files. */
  fileNames: readonly string[]
  /** Reports whether a field contains invalid JSON, so that the form can't be sent. */
  reportBroken: (key: string, isBroken: boolean) => void
}

export const FormContext = createContext<FormContext>({
  prefix: '',
  problems: [],
  shelf: new Map(),
  fileNames: [],
  reportBroken: () => undefined,
})

export function useForm(): FormContext {
  return useContext(FormContext)
}
