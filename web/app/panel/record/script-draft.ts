import { useDraft } from '../project/use-draft.ts'

type Changed = { of: string; words: string }

/** The script before the camera while it is changed, with the script that it was: begun on one, it does not come up on another. */
export const useScriptDraft = (script: string, userId: string): [string, (words: string) => void, () => void] => {
  const [draft, setDraft, , clear] = useDraft<Changed | null>('script of a take', null, userId)
  return [draft?.of === script ? draft.words : script, (words) => setDraft({ of: script, words }), clear]
}
