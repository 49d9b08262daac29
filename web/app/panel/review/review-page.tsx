export const ReviewPage = () => null
