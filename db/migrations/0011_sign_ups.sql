-- Returns one text for all spellings of an address that reach one mailbox. A "+tag" is dropped everywhere. Gmail ignores
-- dots, Proton also hyphens and underscores, and Yandex takes dots for hyphens. Some providers have several domains.
-- Fastmail delivers anything@name.fastmail.com to name@fastmail.com. The index needs a new build if this changes.
CREATE FUNCTION "fold_address"("address" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(CASE
    WHEN host IN ('gmail.com', 'googlemail.com') THEN replace(box, '.', '') || '@gmail.com'
    WHEN host IN ('proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me') THEN translate(box, '.-_', '') || '@proton.me'
    WHEN host IN ('yandex.com', 'yandex.ru', 'yandex.by', 'yandex.kz', 'ya.ru') THEN replace(box, '.', '-') || '@yandex.ru'
    WHEN host IN ('icloud.com', 'me.com', 'mac.com') THEN box || '@icloud.com'
    WHEN host LIKE '_%.fastmail.com' THEN left(host, -length('.fastmail.com')) || '@fastmail.com'
    ELSE box || '@' || host
  END, address)
  FROM (SELECT
    coalesce(nullif(split_part(name, '+', 1), ''), name) AS box,
    host
  FROM (SELECT
    lower(substring(address FROM '^(.*)@[^@]*$')) AS name,
    rtrim(lower(substring(address FROM '[^@]*$')), '.') AS host
  ) parts) folded
$$;
--> statement-breakpoint
CREATE TABLE "granted_days" (
	"day" date PRIMARY KEY NOT NULL,
	"credits" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"address" text PRIMARY KEY NOT NULL,
	"invited_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "users_folded_address" ON "users" USING btree (fold_address("email"));
