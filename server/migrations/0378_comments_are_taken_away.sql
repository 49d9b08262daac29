-- floor: 0300
-- Until anything of a post is at its network its officer changes it, and takes its first comment away. See docs/decisions/0789.
drop policy post_comment_dropped on post_comment;
create policy post_comment_dropped on post_comment for delete
  using ((select actor_role()) = 'SYSTEM' or exists (select from post p where p.id = post_id and p.user_id = (select actor_id())));
