"""What one seat observes and believes of the other seats' cards."""
