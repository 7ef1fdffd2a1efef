'use client'

import { useEffect, useRef, useState } from 'react'
import type { PlaygroundResponse } from './response-details'
import { sendRequest, type TargetEndpoint, SendError, type UploadProgress } from './send-request'
import type { JsonObject } from '../form/field-shapes'

/** The options and files of a run. The form may have changed since. */
export interface SentForm {
  options: JsonObject
  files: File[]
}

/** A run and its result. */
export interface Run {
  isRunning: boolean
  progress: UploadProgress | null
  response: PlaygroundResponse | null
  /** What was sent for this response. */
  sent: SentForm | null
  /** Why no response arrived. */
  failure: string | null
  start: (options: JsonObject, files: File[]) => void
  cancel: () => void
}

/**
 * Runs one request at a time, with `send`. Leaving the page cancels it. A request canceled before its response is free.
 */
export function useRun(endpoint: TargetEndpoint, send = sendRequest): Run {
  const [isRunning, setRunning] = useState(false)
  const [progress, setProgress] = useState<UploadProgress | null>(null)
  const [response, setResponse] = useState<PlaygroundResponse | null>(null)
  const [sent, setSent] = useState<SentForm | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const running = useRef<AbortController | null>(null)
  const lastResponse = useRef<PlaygroundResponse | null>(null)

  useEffect(
    () => () => {
      running.current?.abort()
      revokeFileUrl(lastResponse.current)
    },
    [],
  )

  async function run(options: JsonObject, files: File[]) {
    if (running.current) return // Ignore double clicks.
    const controller = new AbortController()
    running.current = controller
    setRunning(true)
    setProgress(null)
    setFailure(null)
    setResponse(null)
    setSent({ options, files })
    revokeFileUrl(lastResponse.current)
    lastResponse.current = null
    try {
      lastResponse.current = await send({
        endpoint,
        options,
        files,
        onProgress: setProgress,
        signal: controller.signal,
      })
      setResponse(lastResponse.current)
    } catch (error) {
      setFailure(error instanceof SendError ? error.message : 'The response isn’t readable. Run again.')
    }
    running.current = null
    setRunning(false)
  }

  return {
    isRunning,
    progress,
    response,
    sent,
    failure,
    start: (options, files) => void run(options, files),
    cancel: () => running.current?.abort(),
  }
}

function revokeFileUrl(response: PlaygroundResponse | null) {
  if (response?.outcome.kind === 'file') URL.revokeObjectURL(response.outcome.url)
}
