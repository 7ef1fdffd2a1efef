ALTER TABLE "calls" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "message" text;