import { useEffect, useState } from 'react'
import { findStepForm, loadStepForm, type StepForm } from './step-forms'

/** The form of an operation: undefined while it loads. `retry` loads it again after a failure. */
export function useStepForm(slug: string | undefined): {
  form: StepForm | undefined
  hasFailed: boolean
  retry: () => void
} {
  const [attempt, setAttempt] = useState(0)
  const [ended, setEnded] = useState<{ slug: string; hasFailed: boolean } | undefined>()
  useEffect(() => {
    if (slug === undefined || findStepForm(slug)) return
    let isUnmounted = false
    const end = (hasFailed: boolean) => {
      if (!isUnmounted) setEnded({ slug, hasFailed })
    }
    loadStepForm(slug).then(
      () => end(false),
      () => end(true),
    )
    return () => {
      isUnmounted = true
    }
  }, [slug, attempt])
  return {
    form: slug === undefined ? undefined : findStepForm(slug),
    hasFailed: ended?.slug === slug && ended?.hasFailed === true,
    retry: () => {
      setEnded(undefined)
      setAttempt(attempt + 1)
    },
  }
}
