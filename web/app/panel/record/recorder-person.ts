import { createContext, useContext, useEffect, useState } from 'react'
import type { Profile } from '@clear-to-post/contract/accounts'
import { equalHousings, licenceStateCodes } from '@clear-to-post/domain/licences'
import { isOpenTo } from '../entries.ts'
import { paths } from '../../paths.ts'
import { begin, hasLeft, useSession } from '../../session.ts'
import { forgetRecorder, keepRecorder, keptRecorder } from './kept-recorder.ts'

/** Who records: of a person's profile what the recorder needs without a network. */
export type RecorderPerson = Pick<
  Profile,
  'id' | 'name' | 'tenantName' | 'isEmailVerified' | 'preferences' | 'nmlsNumber' | 'licenceStates' | 'companyLicences'
>

/**
 * Who stands before the camera: the signed-in person, or without a network whoever was it here last and did not sign out.
 * A session that ends while the page is open takes nobody from the camera. Null: sign-in has its say.
 */
export const useRecorderPerson = (): RecorderPerson | null => {
  const { user, isUnreachable } = useSession()
  const [held, hold] = useState<RecorderPerson | null>(null)
  useEffect(() => {
    if (user === null) return
    keep(user)
    hold(user)
  }, [user])
  const isAway = user === null && (isUnreachable || held !== null)
  const kept = isAway ? read() : null
  useEffect(() => {
    if (kept !== null && kept.id !== held?.id) hold(kept)
  }, [kept, held])
  // The service may be back before the browser says so.
  useEffect(() => {
    if (!isUnreachable) return
    const ask = () => void begin()
    const timer = setInterval(ask, 15_000)
    addEventListener('online', ask)
    return () => {
      clearInterval(timer)
      removeEventListener('online', ask)
    }
  }, [isUnreachable])
  return user ?? kept
}

export const RecorderContext = createContext<RecorderPerson | null>(null)

/** The person below the recorder's own guard; while the page is left already, whoever is signed in. */
export const useRecorder = (): RecorderPerson => {
  const recorder = useContext(RecorderContext)
  const { user } = useSession()
  const person = recorder ?? user
  if (person === null) throw new Error('useRecorder is only for the recorder')
  return person
}

const keep = (user: Profile): void => {
  if (!isOpenTo(user, paths.record)) return forgetRecorder()
  const { id, name, tenantName, isEmailVerified, preferences, nmlsNumber, licenceStates, companyLicences } = user
  const { phone, city } = preferences ?? {}
  const licences = { nmlsNumber, licenceStates, companyLicences }
  keepRecorder({ id, name, tenantName, isEmailVerified, phone, city, ...licences })
}

const read = (): RecorderPerson | null => {
  const kept = keptRecorder()
  if (typeof kept?.['id'] !== 'string' || typeof kept['name'] !== 'string' || hasLeft(kept['id'])) return null
  return {
    id: kept['id'],
    name: kept['name'],
    isEmailVerified: kept['isEmailVerified'] === true,
    ...textsOf(kept, 'tenantName', 'nmlsNumber'),
    ...licencesOf(kept),
    preferences: { isFeedbackEnabled: true, ...textsOf(kept, 'phone', 'city') },
  }
}

const textsOf = (from: Record<string, unknown>, ...names: string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (typeof from[name] === 'string' ? [[name, from[name]]] : [])))

/** Licences as they were kept; what is none of ours is left out. */
const licencesOf = (from: Record<string, unknown>): Pick<Profile, 'licenceStates' | 'companyLicences'> => {
  const states = Array.isArray(from['licenceStates']) ? from['licenceStates'] : []
  const company = (from['companyLicences'] ?? {}) as Record<string, unknown>
  const equalHousing = equalHousings.find((one) => one === company['equalHousing'])
  return {
    licenceStates: licenceStateCodes.filter((code) => states.includes(code)),
    companyLicences: { ...textsOf(company, 'nmlsNumber'), ...(equalHousing ? { equalHousing } : {}) },
  }
}
