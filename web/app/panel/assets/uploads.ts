/** Placeholder: the resumable uploads come here next. */
export const startUpload = (_file: File, _about: { projectId?: string } = {}): string => ''
