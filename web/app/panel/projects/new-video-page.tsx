export const NewVideoPage = () => null
