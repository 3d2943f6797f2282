import { useState } from 'preact/hooks'
import { asRefused, type Refused } from './api.ts'

/** Runs a button's action, one at a time. `failure` says why the last one was refused. */
export const useAct = () => {
  const [failure, setFailure] = useState<Refused>()
  const [isBusy, setBusy] = useState(false)
  const act = async (work: () => Promise<unknown>) => {
    if (isBusy) return
    setBusy(true)
    setFailure(undefined)
    await work().catch((error) => setFailure(asRefused(error)))
    setBusy(false)
  }
  return { act, failure, isBusy }
}
